import { describe, expect, test } from '@jest/globals'
import { adviceFor, errorCodes } from '../../../../src/service/errors/error-codes.ts'
import { remedyOf } from '../../../../src/service/errors/failures.ts'
import { quoted } from '../../../../src/text/text.ts'
import { grid, groups } from '../../../support/grid.ts'
import { call } from '../../../support/scripted-service.ts'

const all = errorCodes.flatMap(({ codes }) => codes)

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

  test.each(['already_posted', 'duplicate_file'])(
    'takes an unknown code that says %s for ambiguous, and repeats nothing',
    (code) => {
      expect(adviceFor(code, 200)).toMatchObject({ outcome: 'ambiguous', isPermanent: true })
    },
  )

  test('says which failures are permanent, of the network, or of a completion that was repeated', () => {
    const codesWith = (is: 'isPermanent' | 'isNetworkPath' | 'mayBeCompleted') =>
      errorCodes
        .flatMap(({ codes: [first = ''], ...advice }) => (advice[is] ? first : []))
        .join(' ')
    expect([
      codesWith('isPermanent'),
      codesWith('isNetworkPath'),
      codesWith('mayBeCompleted'),
    ]).toMatchInlineSnapshot(`
[
  "web_page http_302 proxy_401 NOT_PRIVATE EPERM SELF_SIGNED_CERT_IN_CHAIN CERT_HAS_EXPIRED UNSPECIFIED ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION ERR_SSL_WRONG_VERSION_NUMBER NO_WEBASSEMBLY UNREQUESTED_100 ABORTED",
  "http_401 http_403 proxy_403 ENOTFOUND ECONNREFUSED EPERM",
  "file_not_found method_deprecated",
]
`)
  })

  test('knows a code by its family, or not', async () => {
    // tinyproxy responds with 502 if it cannot connect. A bad record comes in the middle of an
    // upload.
    const codes = `
http_418
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
    const family = (code: string) => {
      const { codes, outcome, title } = adviceFor(code, 418)
      return codes[0] ?? `${title}, ${outcome}`
    }
    expect(await grid(codes, family)).toMatchInlineSnapshot(`
"http_418
    The server responded with HTTP status 418, undefined
http_599
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
    The service refused the request, undefined"
`)
  })

  test('says what depends on the request, the host and what is known', async () => {
    const cases = `
not_in_channel app=reporter
not_in_channel method=files.upload
channel_not_found app=reporter
channel_not_found method=files.upload
channel_not_found channels=D0123456789
ENOTFOUND
EAI_AGAIN host=chat
EAI_AGAIN host=chat:8065
ENOTFOUND origin=http://chat.example
ECONNREFUSED host=localhost:8065
ECONNREFUSED host=[::1]:80
ECONNREFUSED host=127.0.0.1
ECONNREFUSED host=localhost.example.com
UND_ERR_CONNECT_TIMEOUT origin=http://chat.example
missing_scope method=auth.test needed=files:write
missing_scope method=chat.postMessage needed=chat:write:bot
missing_scope method=files.getUploadURLExternal needed=files:write:user
missing_scope method=files.upload needed=files:write:user
missing_scope method=a.b
http_400 method=files.upload
http_400 method=files.getUploadURLExternal
http_403
http_403 host=files.slack.com
http_499 method=files.upload
http_504 method=upload host=files.slack.com
http_502 method=upload host=files.slack.com
http_504 method=files.completeUploadExternal host=slack.com
http_504 method=files.completeUploadExternal
http_408 method=upload
http_500 method=files.upload
http_599 method=upload
invalid_auth
invalid_auth method=files.upload
invalid_arguments
invalid_arguments method=files.getUploadURLExternal
unknown_method
unknown_method host=slack.com
unknown_method host=team.mattermost.example
unknown_method host=open.rocket.chat
unknown_method host=x.zulipchat.com
unknown_method host=discord.com
`
    const remedy = async (line: string) => {
      const [code = '', ...facts] = line.split(' ').map((fact) => fact.split('='))
      const known = facts.map(([name, value]) => [
        name,
        name === 'channels' ? value?.split(',') : value,
      ])
      const advice = adviceFor(String(code))
      return quoted(remedyOf(advice, { ...call, ...Object.fromEntries(known) }))
    }
    expect(await groups(cases, remedy)).toMatchInlineSnapshot(`
"Invite the app: type \`/invite @reporter\` in the channel. Files need this in public channels too, whatever the scopes.
    not_in_channel app=reporter
The account that the token belongs to must be a member of the channel: add it.
    not_in_channel method=files.upload
No such channel is visible to the app. If the channel is private, invite the app: type \`/invite @reporter\` in it. Otherwise check the ID (at the bottom of the channel's details), and that the app is installed in the workspace of this channel.
    channel_not_found app=reporter
Write the channel ID as \`chat.example:8443\` defines it: the action sends this text unchanged. Can the account that the token belongs to see this channel?
    channel_not_found method=files.upload
The app can use only its own direct conversations. Write the member ID of the person, like \`U0123456789\`: that needs the scope \`im:write\`.
    channel_not_found channels=D0123456789
Does the DNS server of the runner respond, and know this name? Does a firewall block it? Is \`base-url\` right? If the runner needs a proxy, set \`https_proxy\`, and leave \`chat.example:8443\` out of \`no_proxy\`.
    ENOTFOUND
Does the DNS server of the runner respond, and know this name? Does a firewall block it? Is \`base-url\` right? A service has a name only in a job with \`container:\`. In any other job, write \`localhost\`, and give the service \`ports:\`.
    EAI_AGAIN host=chat
    EAI_AGAIN host=chat:8065
Does the DNS server of the runner respond, and know this name? Does a firewall block it? Is \`base-url\` right?
    ENOTFOUND origin=http://chat.example
Is the server running on \`localhost:8065\`? In a job with \`container:\`, this is the container itself: write the name of the service in place of it. In any other job, give the service \`ports:\`.
    ECONNREFUSED host=localhost:8065
Is the server running on \`[::1]:80\`? In a job with \`container:\`, this is the container itself: write the name of the service in place of it. In any other job, give the service \`ports:\`.
    ECONNREFUSED host=[::1]:80
Is the server running on \`127.0.0.1\`? In a job with \`container:\`, this is the container itself: write the name of the service in place of it. In any other job, give the service \`ports:\`.
    ECONNREFUSED host=127.0.0.1
Is \`localhost.example.com\` spelled correctly in \`base-url\`, and running? Does a firewall block the runner? If the runner needs a proxy, set \`https_proxy\`, and leave \`localhost.example.com\` out of \`no_proxy\`.
    ECONNREFUSED host=localhost.example.com
Is \`chat.example:8443\` spelled correctly in \`base-url\`, and running? Does a firewall block the runner?
    UND_ERR_CONNECT_TIMEOUT origin=http://chat.example
Add the scope \`files:write\` to the app (its settings, OAuth & Permissions, Scopes), reinstall the app there, and store the new token in the secret.
    missing_scope method=auth.test needed=files:write
    missing_scope method=files.getUploadURLExternal needed=files:write:user
Add the scope \`chat:write\` to the app (its settings, OAuth & Permissions, Scopes), reinstall the app there, and store the new token in the secret.
    missing_scope method=chat.postMessage needed=chat:write:bot
Give the token the scope \`files:write\` on \`chat.example:8443\`, or store one that has it in the secret.
    missing_scope method=files.upload needed=files:write:user
Add the scope that is missing to the app (its settings, OAuth & Permissions, Scopes), reinstall the app there, and store the new token in the secret.
    missing_scope method=a.b
If its response does not say why, see the log of \`chat.example:8443\`: which fields does it require? With \`comment: none\`, there is no \`initial_comment\`. Otherwise check \`base-url\`, and any proxy in front of \`chat.example:8443\`.
    http_400 method=files.upload
Check \`base-url\`, and whether a proxy or gateway in front of \`chat.example:8443\` responds in its place.
    http_400 method=files.getUploadURLExternal
Check the token, and whether a firewall or proxy in front of \`chat.example:8443\` blocks the runner, or words in the name of the file or in \`comment\`.
    http_403
Check the token, and whether a firewall or proxy in front of \`files.slack.com\` blocks the runner.
    http_403 host=files.slack.com
See the status page of chat.example for when to try again. If it happens to large files only, \`chat.example:8443\`, or a proxy in front of it, limits their size or their time.
    http_499 method=files.upload
    http_408 method=upload
    http_500 method=files.upload
    http_599 method=upload
Slack may end an upload that takes longer than about 30 s: use a faster line, or send a smaller file. If small files fail too, see the status page.
    http_504 method=upload host=files.slack.com
    http_502 method=upload host=files.slack.com
See the status page of chat.example for when to try again.
    http_504 method=files.completeUploadExternal host=slack.com
    http_504 method=files.completeUploadExternal
Copy the Bot User OAuth Token (\`xoxb-…\`) of the app into the secret again. Is \`chat.example:8443\` the host of the app's workspace (GovSlack has its own)? Does the workspace restrict the IP addresses that its apps may call from?
    invalid_auth
Store an access token of \`chat.example:8443\` in the secret again, and write \`\${{ secrets.NAME }}\` with the name of your secret. Behind Apache, a script gets it only with \`CGIPassAuth On\` (mod_wsgi: \`WSGIPassAuthorization On\`).
    invalid_auth method=files.upload
Check the inputs \`channels\`, \`thread-ts\` and \`comment\`. If they are right, the service refuses the file.
    invalid_arguments
The service refuses this file because of its name or its size. Rename it, or send it in another form, like a zip archive.
    invalid_arguments method=files.getUploadURLExternal
Check \`base-url\`: it is the address of the service itself, without \`/api\`. For Slack, leave it out. If it is right, write the method that chat.example offers: \`method: external\` like Slack, or \`method: files.upload\`.
    unknown_method
Slack offers \`method: external\`. Is there a proxy in between?
    unknown_method host=slack.com
\`team.mattermost.example\` offers none of the methods of this action: use an action for this product.
    unknown_method host=team.mattermost.example
\`open.rocket.chat\` offers none of the methods of this action: use an action for this product.
    unknown_method host=open.rocket.chat
\`x.zulipchat.com\` offers none of the methods of this action: use an action for this product.
    unknown_method host=x.zulipchat.com
\`discord.com\` offers none of the methods of this action: use an action for this product.
    unknown_method host=discord.com"
`)
  })
})
