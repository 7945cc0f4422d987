// Text from outside stays text: no mention, link or markup in the channel, no command of the runner in the log, no
// markup in the summary, no other value in the outputs.
import { describe, expect, test } from '@jest/globals'
import { outputNames } from '../support/declared.ts'
import { expectOnlyOwnMarkup } from '../support/only-own-markup.ts'
import { attacks } from '../support/report-runs.ts'
import { commandsIn } from '../support/stdout.ts'
import { type Done, runStep, type Step } from '../support/step.ts'
import { onPosix } from '../support/systems.ts'

const ownCommands = /^::(?:(?:error|warning|notice) title=[^:,]+|add-mask|debug|group|endgroup)::/

function expectHarmless({ outputs, stderr, stdout, summary }: Done): void {
  expect(commandsIn(stdout).filter((line) => !ownCommands.test(line))).toEqual([])
  expect(stderr).toBe('')
  expectOnlyOwnMarkup(summary)
  expect(Object.keys(outputs).sort()).toEqual([...outputNames].sort())
  expect(outputs['status']).toMatch(/^[a-z-]+$/)
}

/** With the log at its longest. */
const run = (step: Step) => runStep({ ...step, env: { ...step.env, RUNNER_DEBUG: '1' } })

/** The mrkdwn of the first message. */
function mrkdwnOf({ messages }: Done): string {
  const [block] = messages[0]?.blocks ?? []
  const { text }: { readonly text?: { readonly text?: string } } = Object(block)
  return text?.text ?? ''
}

/** The same with the links' texts instead of the links. */
const wordsOf = (done: Done) => mrkdwnOf(done).replace(/<https:[^<>|]*\|([^<>|]*)>/g, '$1')

/** Links, mentions, more than one line, text that runs backwards, and marks that could begin or end a span. */
const markup = /[<>\p{Cc}\u202e]|(?<![\p{L}\p{N}])[*_~`]|[*_~`](?![\p{L}\p{N}])/u

const releaseOf = (text: string) => ({
  action: 'published',
  release: { tag_name: `v1${text}`, name: text, html_url: `https://github.example/releases/${text}` },
})

describe('in the names of files and of the release', () => {
  const names = attacks.map((attack, at) => `${at} ${attack.replaceAll('/', '∕')}.csv`)

  onPosix('by the external upload', async () => {
    const files = Object.fromEntries(names.map((name) => [name, 'x']))
    const event = releaseOf(attacks.join(' '))
    const done = await run({
      eventName: 'release',
      event,
      files,
      inputs: { method: 'external', files: '*', 'include-hidden-files': 'true' },
    })
    expectHarmless(done)
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: String(names.length) } })
    const sent: readonly { readonly path: string }[] = JSON.parse(done.outputs['files'] ?? '')
    expect(sent.map(({ path }) => path).sort()).toEqual([...names].sort())

    const links = mrkdwnOf(done).match(/<[^<>]*>/g) ?? []
    expect(links.map((link) => link.replace(/\|.*/s, '').slice(0, 40))).toEqual([
      '<https://github.example/releases/::error',
      '<https://github.com/octo-org/octo-repo/a',
    ])
    expect(wordsOf(done)).not.toMatch(markup)
  })

  onPosix.each(['\u202e<!channel> *b* [x](y) @octocat ::error::.csv', '`<@U0PERSON000>`\n##[error]x|y>.csv'])(
    'when the only file is %j',
    async (name) => {
      const done = await run({ files: { [name]: 'x' }, inputs: { method: 'external', files: '*' } })
      expectHarmless(done)
      expect(done.outputs['status']).toBe('posted')
      expect(wordsOf(done)).not.toMatch(markup)
      expect(done.messages[0]?.files[0]?.title).not.toMatch(/\p{Cc}/u)
    },
  )

  onPosix('by files.upload, where no more than one line may come of it', async () => {
    const name = '::error::x\n\u202e##[error]<!channel>.csv'
    const event = releaseOf(attacks.join(' '))
    const done = await run({
      eventName: 'release',
      event,
      files: { [name]: 'x' },
      inputs: { method: 'files.upload', files: '*' },
    })
    expectHarmless(done)
    expect(done.outputs['status']).toBe('posted')
    // Nor a mention, nor a link behind text.
    expect(done.messages[0]?.text).not.toMatch(/[\p{Cc}\u202e]|<[!@a-z]|\]\(|(?<![\p{L}\p{N}])@[a-z]/u)
  })
})

test.each(['::error::x ##[error]x', '<!channel>|<@U0PERSON000> *b* _i_ `c`'])(
  'in the name of a branch: %j',
  async (branch) => {
    const done = await run({
      eventName: 'push',
      env: { GITHUB_REF: `refs/heads/${branch}` },
      files: { 'a.csv': 'x' },
      inputs: { method: 'external', comment: '{source}' },
    })
    expectHarmless(done)
    expect(mrkdwnOf(done)).toMatch(
      /^<https:\/\/github\.com\/octo-org\/octo-repo\/actions\/runs\/\d+\/attempts\/1\|octo-org\/octo-repo@[^<>|]+>$/,
    )
    expect(wordsOf(done)).not.toMatch(markup)
  },
)

describe('in what the service says:', () => {
  // A dry run looks at no more than 20 channels.
  test.each([attacks.slice(0, 20), attacks.slice(20)].map((names) => [names]))(
    'the names of channels',
    async (names) => {
      const id = (at: number) => `C0ATTACK${String(at).padStart(3, '0')}`
      const done = await run({
        files: { 'a.csv': 'x' },
        prepare: ({ users, workspace }) => {
          for (const [at, name] of names.entries()) {
            workspace.addConversation({ id: id(at), name, kind: 'public', members: at % 2 === 0 ? [users.app] : [] })
          }
        },
        inputs: { method: 'external', 'dry-run': 'true', channels: names.map((_, at) => id(at)).join() },
      })
      expectHarmless(done)
      expect(done.stdout).toContain('The app is not in the channel')
      expect(done.messages).toEqual([])
    },
  )

  const methods = ['files.getUploadURLExternal', 'files.completeUploadExternal', 'files.upload'] as const
  test.each(methods)('the error texts of %s', async (on) => {
    const done = await run({
      files: { 'a.csv': 'x' },
      inputs: { method: on === 'files.upload' ? on : 'external' },
      prepare: ({ faults }) =>
        faults.add({
          on,
          fault: {
            kind: 'error',
            code: '::error::x\n##[error]<!channel> @octocat',
            more: {
              needed: '\n::error::x',
              provided: '##[error]x',
              response_metadata: { messages: [...attacks] },
            },
          },
        }),
    })
    expectHarmless(done)
    expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' } })
  })

  test('the response to the bytes of a file', async () => {
    const done = await run({
      files: { 'a.csv': 'x' },
      inputs: { method: 'external' },
      prepare: ({ faults }) =>
        faults.add({
          on: 'upload-bytes',
          fault: { kind: 'response', status: 403, body: { text: attacks.join('\n') } },
        }),
    })
    expectHarmless(done)
    expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' } })
  })

  test('the identifiers, links and ts of files that it took', async () => {
    const texts = [...attacks, 'javascript:alert(1)', 'https://x.example/"><b>']
    const done = await run({
      files: Object.fromEntries(texts.map((_, at) => [`${at}.csv`, 'x'])),
      inputs: { method: 'files.upload', files: '*' },
      prepare: ({ channels, faults }) => {
        for (const [at, text] of texts.entries()) {
          const shares = { public: { [channels.general]: [{ ts: text }] } }
          const file = { id: text, permalink: text, size: 1, shares }
          faults.add({
            on: 'files.upload',
            call: at + 1,
            fault: { kind: 'response', status: 200, effect: true, body: { json: { ok: true, file } } },
          })
        }
      },
    })
    expectHarmless(done)
    expect(done).toMatchObject({ code: 0, outputs: { count: String(texts.length) } })
  })
})
