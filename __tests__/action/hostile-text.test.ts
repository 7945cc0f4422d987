// Text from outside stays text in channel, log, summary and outputs. See `unit/comment/` and
// `unit/report/` for each text alone.
import { describe, expect, test } from '@jest/globals'
import type { Fault, Target } from '../../sandbox/faults.ts'
import { outputNames } from '../support/declared.ts'
import { expectOnlyOwnMarkup } from '../support/only-own-markup.ts'
import { attacks } from '../support/report-runs.ts'
import { withClock } from '../support/scaled-clock.ts'
import { commandsIn } from '../support/stdout.ts'
import { type Done, runStep, type Step } from '../support/step.ts'
import { onPosix } from '../support/systems.ts'

const ownCommands = /^::(?:(?:error|warning|notice) title=[^:,]+|add-mask|debug|group|endgroup)::/

/** Runs the step with debug logging, and checks that all text stays text. */
async function run(step: Step): Promise<Done> {
  const done = await runStep({ ...step, env: { ...step.env, RUNNER_DEBUG: '1' } })
  expect(commandsIn(done.stdout).filter((line) => !ownCommands.test(line))).toEqual([])
  expect(done.stderr).toBe('')
  expectOnlyOwnMarkup(done.summary)
  expect(Object.keys(done.outputs).sort()).toEqual([...outputNames].sort())
  expect(done.outputs['status']).toMatch(/^[a-z-]+$/)
  return done
}

const all = attacks.join(' ')
const event = {
  action: 'published',
  release: {
    tag_name: `v1${all}`,
    name: `<!channel>${all}`,
    html_url: `https://github.example/releases/${all}`,
  },
}

describe('in the names of files and of the release', () => {
  onPosix('by the external upload', async () => {
    const names = attacks.map((attack, at) => `${at} ${attack.replaceAll('/', '∕')}.csv`)
    const done = await run({
      eventName: 'release',
      event,
      files: Object.fromEntries(names.map((name) => [name, 'x'])),
      inputs: { method: 'external', files: '*', 'include-hidden-files': 'true' },
    })
    expect(done).toMatchObject({
      code: 0,
      outputs: { status: 'posted', count: String(names.length) },
    })
    const sent: readonly { readonly path: string }[] = JSON.parse(done.outputs['files'] ?? '')
    expect(sent.map(({ path }) => path).sort()).toEqual([...names].sort())
    // Nobody is mentioned.
    expect(JSON.stringify(done.messages[0]?.blocks)).not.toMatch(/<[!@#]/)
  })

  onPosix('by files.upload, where no more than one line may come of it', async () => {
    const name = '::error::x\n\u202e##[error]<!channel>.csv'
    const done = await run({
      eventName: 'release',
      event,
      files: { [name]: 'x' },
      inputs: { files: '*' },
    })
    expect(done.outputs['status']).toBe('posted')
    // Neither mentions nor masked links.
    expect(done.messages[0]?.text).not.toMatch(
      /[\p{Cc}\u202e]|<[!@a-z]|\]\(|(?<![\p{L}\p{N}])@[a-z]/u,
    )
  })
})

describe('in what the service says:', () => {
  test('the names of channels', async () => {
    // A dry run checks at most 20 channels.
    const names = attacks.slice(0, 20)
    const id = (at: number) => `C0ATTACK${String(at).padStart(3, '0')}`
    const done = await run({
      prepare: ({ users, workspace }) => {
        for (const [at, name] of names.entries()) {
          workspace.addConversation({
            id: id(at),
            name,
            kind: 'public',
            members: at % 2 === 0 ? [users.app] : [],
          })
        }
      },
      inputs: {
        method: 'external',
        'dry-run': 'true',
        channels: names.map((_, at) => id(at)).join(),
      },
    })
    expect(done.stdout).toContain('The app is not in the channel')
  })

  const code = '::error::x\n##[error]<!channel> @octocat'
  const more = { needed: '\n::error::x', response_metadata: { messages: [...attacks] } }
  test.each<[what: string, on: Target, fault: Fault]>([
    ['the texts of an error', 'files.getUploadURLExternal', { kind: 'error', code, more }],
    [
      'the text about bytes',
      'upload-bytes',
      { kind: 'response', status: 403, body: { text: attacks.join('\n') } },
    ],
  ])('%s', async (_, on, fault) => {
    const done = await run({
      ...withClock(),
      inputs: { method: 'external' },
      prepare: ({ faults }) => faults.add({ on, fault }),
    })
    expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' } })
  })

  test('the identifiers, links and ts of files that it took', async () => {
    const texts = [...attacks, 'javascript:alert(1)', 'https://x.example/"><b>']
    const done = await run({
      files: Object.fromEntries(texts.map((_, at) => [`${at}.csv`, 'x'])),
      inputs: { files: '*' },
      prepare: ({ channels, faults }) => {
        for (const [at, text] of texts.entries()) {
          const shares = { public: { [channels.general]: [{ ts: text }] } }
          const json = { ok: true, file: { id: text, permalink: text, size: 1, shares } }
          const fault = { kind: 'response', status: 200, effect: true, body: { json } } as const
          faults.add({ on: 'files.upload', call: at + 1, fault })
        }
      },
    })
    expect(done).toMatchObject({ code: 0, outputs: { count: String(texts.length) } })
  })
})
