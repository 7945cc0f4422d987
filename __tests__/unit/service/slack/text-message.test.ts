import { describe, expect, test } from '@jest/globals'
import { NoResponseError } from '../../../../src/service/http/no-response.ts'
import { postText } from '../../../../src/service/slack/text-message.ts'
import { quoted } from '../../../../src/text/text.ts'
import { host, type Reply, response, scriptedService } from '../../../support/scripted-service.ts'

const ts = '1760688662.900279'
const posted = (more: object = {}) => ({ ok: true, channel: 'C1', ts, message: {}, ...more })
const refusal = (error: string, more: object = {}) => ({ ok: false, error, ...more })
const identity = { ok: true, bot_id: 'B1', user: 'reporter' }
const blocks = JSON.stringify([{ type: 'section', text: { type: 'mrkdwn', text: '*failed*' } }])

async function post(ids: readonly string[], replies: readonly Reply[], threadTs?: string) {
  const { api, play, requests } = scriptedService({
    'chat.postMessage': replies,
    'auth.test': [identity],
  })
  const channels = ids.map((id) => ({ id, requested: `#${id}` }))
  const comment = { blocks, text: '*failed*' }
  const { files, postings, problems } = await play(
    postText(api, { channels, files: [], comment, threadTs }),
  )
  expect(files).toEqual([])
  expect(postings.map(({ channel }) => channel)).toEqual(channels)
  return {
    calls: requests.map(({ method }) => method),
    forms: requests.map(({ form }) => form),
    states: postings.map(({ state, ts: shown }) => (shown ? `${state} ${shown}` : state)),
    errors: problems.map((problem) => `${problem.title}: ${quoted(problem.text)}`),
  }
}

describe('A comment without files', () => {
  test('is one call for each channel, with a text for notifications', async () => {
    const { forms, states } = await post(['C1', 'C2'], [posted(), posted({ ts: '1.2' })], '1.1')
    expect(forms).toEqual(
      ['C1', 'C2'].map((channel) => ({
        channel,
        text: '*failed*',
        blocks,
        unfurl_links: 'false',
        unfurl_media: 'false',
        thread_ts: '1.1',
      })),
    )
    expect(states).toEqual([`posted ${ts}`, 'posted 1.2'])
  })

  test.each<[Reply, string, string[]]>([
    [posted({ ts: undefined }), 'accepted', []],
    [
      new NoResponseError('ECONNRESET', true, 'lost'),
      'unknown',
      ['It is unknown whether the message was posted: The'],
    ],
    [new NoResponseError('ECONNREFUSED', false, 'no'), `posted ${ts}`, []],
  ])(
    'with the response %j is %s, and repeated only if it was not sent',
    async (reply, state, expected) => {
      const { errors, states } = await post(['C1'], [reply, posted()])
      expect(states).toEqual([state])
      expect(errors).toEqual(expected.map((error) => expect.stringContaining(error)))
    },
  )

  test('that was canceled says which channels it was not sent to, and asks for no more time', async () => {
    const slow = Object.assign(response(200, posted()), { after: 500 })
    const { api, clock, deadline, play } = scriptedService({ 'chat.postMessage': [slow] })
    const channels = Array.from({ length: 12 }, (_, index) => ({
      id: `C${index}`,
      requested: `#C${index}`,
    }))
    clock.sleep(100).then(() => deadline.cancel())
    const { postings, problems } = await play(
      postText(api, { channels, files: [], comment: { text: 'failed' } }),
    )
    expect(postings.map(({ state }) => state)).toEqual([
      ...Array(10).fill('posted'),
      'not-sent',
      'not-sent',
    ])
    expect(problems.map((problem) => [problem.title, quoted(problem.text)])).toEqual([
      [
        'The run ended before the request was over',
        'The comment could not be posted to `#C10`, `#C11`: the step gave up before `chat.example:8443` accepted `chat.postMessage`.\nAnother error of this step says why.',
      ],
    ])
  })

  test('is tried in every channel, and those that fail in the same way share a problem', async () => {
    const replies = [refusal('not_in_channel'), posted(), refusal('not_in_channel'), response(502)]
    const { calls, errors, states } = await post(['C1', 'C2', 'C3', 'C4'], replies)
    expect(states).toEqual(['not-sent', `posted ${ts}`, 'not-sent', 'unknown'])
    expect(calls.filter((call) => call === 'auth.test')).toHaveLength(1)
    expect(errors[0]).toContain('`/invite @reporter`')
    expect(errors).toEqual([
      expect.stringContaining(
        `The comment could not be posted to \`#C1\`, \`#C3\`: \`${host}\` responded`,
      ),
      expect.stringContaining(
        'Check `#C4` before you run the step again: if the message is there, the step may post it',
      ),
    ])
  })
})
