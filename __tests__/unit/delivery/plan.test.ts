import { describe, expect, test } from '@jest/globals'
import { Deadline } from '../../../src/deadline.ts'
import { planDelivery } from '../../../src/delivery/plan.ts'
import { diskContent } from '../../../src/files/content.ts'
import type { Inputs } from '../../../src/inputs/inputs.ts'
import { runContext } from '../../support/context.ts'
import { foundFile } from '../../support/scripted-service.ts'
import { tree } from '../../support/tree.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

const context = runContext({ runAttempt: 2 })
const files = [foundFile('a.csv'), foundFile('b.csv')]

/** Only what a plan is made of. */
const inputs = (more: Partial<Inputs> = {}) =>
  ({
    channels: ['C1', 'C2'],
    token: 'xoxb-made-up-for-this-test',
    title: 'Report {name}',
    onRerun: 'all',
    rerunKey: '',
    comment: 'Reports: {files} <!channel>',
    commentFormat: 'mrkdwn',
    allowBroadcast: true,
    dryRun: false,
    ...more,
  }) as Inputs

function plan(method: 'external' | 'files.upload', more: Partial<Inputs> = {}, some = files, run = context) {
  const deadline = new Deadline(new VirtualClock(), 60_000)
  return planDelivery(some, inputs({ method, ...more }), run, {
    content: diskContent('xoxb-made-up-for-this-test'),
    deadline,
  })
}

describe('A plan', () => {
  test('holds what the inputs say', async () => {
    const made = await plan('external', { dryRun: true, threadTs: '1.5' })
    expect(made.plan).toMatchObject({ channels: ['C1', 'C2'], dryRun: true, threadTs: '1.5' })
    expect(made.plan.files).toEqual(files.map((file) => ({ ...file, title: `Report ${file.name}` })))
    expect(made.problems).toEqual([])
    const { plan: other } = await plan('external')
    expect(other).toMatchObject({ threadTs: undefined, attempt: undefined })
  })

  test('says without the token what the run is for, whatever its event holds', async () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 20_000; level += 1) deep = [deep]
    const payload = { release: { tag_name: 'v1', name: 'One xoxb-made-up-for-this-test' }, client_payload: deep }
    const made = await plan('external', { comment: '{source}, {subject}' }, files, runContext({ payload }))
    expect(made.plan.commentFor(files)?.text).toContain('octo/app One ∗∗∗ (v1)')
  })

  test.each([
    ['external', true],
    ['files.upload', false],
  ] as const)('renders the comment by %s with blocks: %s', async (method, blocks) => {
    const { commentFor } = (await plan(method)).plan
    expect(commentFor(files)?.blocks !== undefined).toBe(blocks)
    expect(JSON.stringify(commentFor(files.slice(0, 1)))).not.toEqual(JSON.stringify(commentFor(files)))
  })

  test.each([
    ['', undefined, undefined],
    ['Reports', 'Reports', '2 of 3'],
  ])('has a comment, and one for a later message, unless there is none: "%s"', async (comment, first, second) => {
    const { commentFor, continuationFor } = (await plan('external', { comment })).plan
    const later = continuationFor?.({ number: 2, count: 3, firstMessage: undefined })
    expect([commentFor(files)?.text, later?.text]).toEqual([first, second])
  })

  test('fills the subject into comment and titles, once', async () => {
    const made = await plan('external', { comment: '<https://x.example|{subject}>', title: '{subject}: {name}' }, [
      foundFile('{subject}.csv'),
    ])
    expect(JSON.stringify(made.plan.commentFor(files))).toContain('<https://x.example|CI>')
    expect([made.plan.files.map(({ title }) => title), made.problems]).toEqual([['CI: {subject}.csv'], []])
  })

  test('has the warnings of the comment, and of what is almost a placeholder', async () => {
    const warnings = async (more: Partial<Inputs>) => (await plan('external', more)).problems.map(({ title }) => title)
    expect(await warnings({ allowBroadcast: false })).toHaveLength(1)
    expect((await warnings({ comment: '{Files}' })).join()).toBe('Unknown placeholder in comment')
    expect((await warnings({ title: '{Name}' })).join()).toBe('Unknown placeholder in title')
  })

  test('gives each file a key where only what is missing is posted', async () => {
    await using folder = await tree({ 'a.csv': 'a,b\n' })
    const { files: found } = await folder.find('a.csv')
    const { plan: external } = await plan('external', { onRerun: 'missing' }, [...found])
    expect(external.attempt).toBe(2)
    expect(external.files[0]?.key).toMatch(/^[0-9a-f]{10}$/)
    const other = await plan('external', { onRerun: 'missing', rerunKey: 'linux' }, [...found])
    expect(other.plan.files[0]?.key).not.toBe(external.files[0]?.key)
  })
})
