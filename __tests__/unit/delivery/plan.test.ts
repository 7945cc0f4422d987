import { describe, expect, test } from '@jest/globals'
import { planDelivery } from '../../../src/delivery/plan.ts'
import type { Inputs } from '../../../src/inputs/inputs.ts'
import { tokenRemover } from '../../../src/text/token.ts'
import { runContext } from '../../support/context.ts'
import { foundFile } from '../../support/scripted-service.ts'

const context = runContext({ runAttempt: 2 })
const files = [foundFile('a.csv'), foundFile('b.csv')]

/** Only inputs of a plan. */
const inputs = (more: Partial<Inputs> = {}) =>
  ({
    channels: ['C1', 'C2'],
    removeToken: tokenRemover('xoxb-made-up-for-this-test'),
    title: 'Report {name}',
    comment: 'Reports: {files} <!channel>',
    commentFormat: 'mrkdwn',
    allowBroadcast: true,
    dryRun: false,
    ...more,
  }) as Inputs

function plan(
  method: 'external' | 'files.upload',
  more: Partial<Inputs> = {},
  some = files,
  run = context,
) {
  return planDelivery(some, inputs({ method, ...more }), run)
}

describe('A plan', () => {
  test('holds what the inputs say', async () => {
    const made = plan('external', { dryRun: true, threadTs: '1.5' })
    expect(made.plan).toMatchObject({ channels: ['C1', 'C2'], dryRun: true, threadTs: '1.5' })
    expect(made.plan.files).toEqual(
      files.map((file) => ({ ...file, title: `Report ${file.name}` })),
    )
    expect(made.problems).toEqual([])
    expect(plan('external').plan.threadTs).toBeUndefined()
  })

  test('says without the token what the run is for, whatever its event holds', async () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 20_000; level += 1) deep = [deep]
    const payload = {
      release: { tag_name: 'v1', name: 'One xoxb-made-up-for-this-test' },
      client_payload: deep,
    }
    const made = plan(
      'external',
      { comment: '{source}, {subject}' },
      files,
      runContext({ payload }),
    )
    expect(made.plan.commentFor(files)?.text).toContain('octo/app One ∗∗∗ (v1)')
  })

  test('is refused with a comment that Slack would refuse', () => {
    expect(() => plan('external', { comment: 'x'.repeat(60_000) })).toThrow('20 blocks')
  })

  test.each([
    ['external', true],
    ['files.upload', false],
  ] as const)('renders the comment by %s with blocks: %s', async (method, blocks) => {
    const { commentFor } = plan(method).plan
    expect(commentFor(files)?.blocks !== undefined).toBe(blocks)
    expect(JSON.stringify(commentFor(files.slice(0, 1)))).not.toEqual(
      JSON.stringify(commentFor(files)),
    )
  })

  test.each([
    ['', undefined],
    ['Reports', 'Reports'],
  ])('has a comment, unless there is none: "%s"', (comment, text) => {
    expect(plan('external', { comment }).plan.commentFor(files)?.text).toBe(text)
  })

  test('fills the subject into comment and titles, once', async () => {
    const made = plan(
      'external',
      { comment: '<https://x.example|{subject}>', title: '{subject}: {name}' },
      [foundFile('{subject}.csv')],
    )
    expect(JSON.stringify(made.plan.commentFor(files))).toContain('<https://x.example|CI>')
    expect([made.plan.files.map(({ title }) => title), made.problems]).toEqual([
      ['CI: {subject}.csv'],
      [],
    ])
  })

  test('has the warnings of the comment, and of what is almost a placeholder', async () => {
    const warnings = async (more: Partial<Inputs>) =>
      plan('external', more).problems.map(({ title }) => title)
    expect(await warnings({ allowBroadcast: false })).toHaveLength(1)
    expect((await warnings({ comment: '{Files}' })).join()).toBe('Check the braces in comment')
    expect((await warnings({ title: '{Name}' })).join()).toBe('Check the braces in title')
  })
})
