import { describe, expect, test } from '@jest/globals'
import { adviceFor, errorCodes } from '../../../../src/service/errors/error-codes.ts'
import { remedyOf } from '../../../../src/service/errors/failures.ts'
import { quoted } from '../../../../src/text/text.ts'
import { grid } from '../../../support/grid.ts'
import { call } from '../../../support/scripted-service.ts'

const all = errorCodes.flatMap(({ codes }) => codes)

/** A code, known facts, and a part of the remedy. */
const remedies = `
not_in_channel app=reporter | type \`/invite @reporter\` in
channel_not_found app=reporter | type \`/invite @reporter\` in
channel_not_found channels=D0123456789 | Write the member ID of the person
channel_not_found channels=C0123456789,G0123456789 | the \`G\` of its ID is a \`C\` now
ENOTFOUND host=chat | A service has a name only in a job with \`container:\`. In any other job, write \`localhost\`
ENOTFOUND host=chat:8065 | A service has a name only in a job with \`container:\`. In any other job, write \`localhost\`
missing_scope method=auth.test needed=files:write | Add the scope \`files:write\` to
# As the service words it
missing_scope method=chat.postMessage needed=chat:write:bot | Add the scope \`chat:write\` to
missing_scope method=files.getUploadURLExternal needed=files:write:user | Add the scope \`files:write\` to
missing_scope method=files.upload needed=files:write:user | Give the token the scope \`files:write\` on
missing_scope method=a.b | Add the scope that is missing to
http_400 method=files.upload | With \`comment: none\`, there is no \`initial_comment\`.
http_400 method=files.getUploadURLExternal | Check \`base-url\`, and whether a proxy
http_403 | , or words in the name of the file or in \`comment\`.
http_403 host=files.slack.com | blocks the runner.
http_499 method=files.upload | limits their size or their time
invalid_auth method=files.upload | only with \`CGIPassAuth On\`
invalid_arguments | Check the inputs
invalid_arguments method=files.getUploadURLExternal | Rename it
unknown_method method=files.upload host=slack.com | Slack offers \`method: external\`. Is there a proxy in between?
unknown_method method=files.upload | For Slack, leave it out. If it is right, and chat.example offers Slack's external upload, write \`method: external\`.
unknown_method method=files.getUploadURLExternal | For Slack, leave it out. If it is right, and chat.example offers \`files.upload\`, write \`method: files.upload\`.
unknown_method method=files.upload host=team.mattermost.example | \`team.mattermost.example\` offers none of the methods
unknown_method method=files.upload host=open.rocket.chat | \`open.rocket.chat\` offers none of the methods
unknown_method method=files.upload host=x.zulipchat.com | \`x.zulipchat.com\` offers none of the methods
unknown_method method=files.upload host=discord.com | \`discord.com\` offers none of the methods
unknown_method | For Slack, leave it out. Slack offers \`method: external\`, compatible servers offer \`method: files.upload\`.
`
  .trim()
  .split('\n')

const upload = { method: 'files.upload' }
const completion = { method: 'files.completeUploadExternal' }
const request = { method: 'files.getUploadURLExternal' }

describe('The table of error codes', () => {
  test('has each code once', () => {
    expect(new Set(all).size).toBe(all.length)
    expect(all).not.toContain('')
  })

  test.each(errorCodes.map((entry) => [entry.codes[0], entry] as const))(
    'says about %s what to do',
    (_, entry) => {
      expect(entry.title).toMatch(/^[A-Z]\S*( \S+){1,8}(?<!\.)$/)
      for (const facts of [{}, { needed: 'files:write' }, upload, completion, request]) {
        const remedy = quoted(remedyOf(entry, { ...call, ...facts }))
        expect(remedy.length).toBeGreaterThan(20)
        // Running the step again could post twice.
        expect(remedy).not.toMatch(/run the step again/i)
        // No placeholder is left.
        expect(remedy).not.toMatch(/\{\w+\}|undefined|\[object/)
      }
    },
  )

  test('knows a code by its family, or not', async () => {
    // tinyproxy responds with 502 if it cannot connect. A bad record comes in the middle of an
    // upload.
    const codes = `
http_599
http_399
proxy_499
proxy_502
SELF_SIGNED_X
DEPTH_ZERO_X
UNABLE_TO_X
CERT_X
ERR_TLS_X
ERR_SSL_X
ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC
tea_time
`
    expect(await grid(codes, (code) => adviceFor(code).codes[0])).toMatchInlineSnapshot(`
"http_599
    fatal_error
http_399
    http_301
proxy_499
    proxy_403
proxy_502
    proxy_403
SELF_SIGNED_X
    SELF_SIGNED_CERT_IN_CHAIN
DEPTH_ZERO_X
    SELF_SIGNED_CERT_IN_CHAIN
UNABLE_TO_X
    SELF_SIGNED_CERT_IN_CHAIN
CERT_X
    CERT_HAS_EXPIRED
ERR_TLS_X
    ERR_SSL_WRONG_VERSION_NUMBER
ERR_SSL_X
    ERR_SSL_WRONG_VERSION_NUMBER
ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC
    ECONNRESET
tea_time
    nothing"
`)
  })

  test.each(remedies.filter((line) => !line.startsWith('#')))('has a remedy: %s', (line) => {
    const [given = '', remedy] = line.split(' | ')
    const [code = '', ...facts] = given.split(' ').map((fact) => fact.split('='))
    const known = facts.map(([name, value]) => [
      name,
      name === 'channels' ? value?.split(',') : value,
    ])
    const advice = remedyOf(adviceFor(String(code)), { ...call, ...Object.fromEntries(known) })
    expect(quoted(advice)).toContain(remedy)
  })

  test('says where localhost leads in a job with a container', () => {
    const remedy = (host: string) => quoted(remedyOf(adviceFor('ECONNREFUSED'), { ...call, host }))
    for (const host of ['localhost:8065', '127.0.0.1', '[::1]:80']) {
      expect(remedy(host)).toBe(
        `Is the server running on \`${host}\`? In a job with \`container:\`, this is the container itself: write the name of the service in place of it. In any other job, give the service \`ports:\`.`,
      )
    }
    expect(remedy('localhost.example.com')).toContain('firewall')
  })

  test.each(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'])(
    'advises a proxy after %s, but none for plain http, which goes through none',
    (code) => {
      const remedy = (origin: string) => quoted(remedyOf(adviceFor(code), { ...call, origin }))
      expect(remedy('https://chat.example')).toMatch(/[.?] If the runner needs a proxy, set/)
      expect(remedy('http://chat.example')).toMatch(/[.?]$/)
      expect(remedy('http://chat.example')).not.toContain('proxy')
    },
  )

  test.each(['invalid_auth', 'channel_not_found', 'not_in_channel'])(
    'says about %s of another server nothing that holds for Slack only',
    (code) => {
      const advice = (facts: object) => quoted(remedyOf(adviceFor(code), { ...call, ...facts }))
      const ofSlack = /xoxb|GovSlack|\/invite|the app/
      expect(advice(completion)).toMatch(ofSlack)
      expect(advice(upload)).not.toMatch(ofSlack)
    },
  )
})
