import { chmodSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { readWorkingDirectory } from '../../../src/inputs/working-directory.ts'
import { onPosix, withLinks } from '../../support/systems.ts'
import { asSomebody, type Entries, tree } from '../../support/tree.ts'
import { refusalOf, withInputs } from '../../support/with-inputs.ts'

const entries = { 'packages/app/a.csv': '1', 'report.csv': '2' }

async function expectRefusal(folder: string, why: string, more: Entries = {}): Promise<void> {
  await using workspace = await tree({ ...entries, ...more })
  const refusal = refusalOf({ 'working-directory': folder }, () => readWorkingDirectory(workspace.root))
  expect(refusal).toMatch(/^`working-directory` is `/)
  expect(refusal).toContain(`\`, which ${why}. Write a folder that exists, relative to the workspace`)
}

describe('a working-directory', () => {
  test.each([
    ['', '.'],
    ['.', '.'],
    ['packages/app', 'packages/app'],
    ['./packages/../packages/app/', 'packages/app'],
  ])('of %j is %s in the workspace', async (folder, expected) => {
    await using workspace = await tree(entries)
    const read = () => readWorkingDirectory(workspace.root)
    expect(withInputs({ 'working-directory': folder }, read)).toBe(path.join(workspace.root, expected))
  })

  withLinks('may be a link', async () => {
    await using workspace = await tree({ ...entries, link: '-> packages/app' })
    const read = () => readWorkingDirectory(workspace.root)
    expect(withInputs({ 'working-directory': 'link' }, read)).toBe(path.join(workspace.root, 'link'))
  })

  test('may be absolute, and outside the workspace', async () => {
    await using workspace = await tree(entries)
    await using elsewhere = await tree()
    const read = () => readWorkingDirectory(workspace.root)
    expect(withInputs({ 'working-directory': elsewhere.root }, read)).toBe(elsewhere.root)
  })

  test.each([
    ['packages/web', 'does not exist'],
    ['report.csv', 'is not a folder'],
    ['report.csv/a', 'does not exist'],
  ])('of %.20s is refused', (folder, why) => expectRefusal(folder, why))

  withLinks('that is a loop of links is refused', () =>
    expectRefusal('loop', 'is a link that leads to itself', { loop: '-> loop' }),
  )

  // To Windows, a name that is too long is one that does not exist.
  onPosix('that is too long is refused', () => expectRefusal('a'.repeat(5000), 'is too long for a path'))

  onPosix('below a folder that may not be opened is refused', async () => {
    await using workspace = await tree(entries)
    chmodSync(path.join(workspace.root, 'packages'), 0)
    await asSomebody(async () => {
      const read = () => readWorkingDirectory(workspace.root)
      expect(refusalOf({ 'working-directory': 'packages/app' }, read)).toContain(
        'which is in a folder that the user of this step may not open.',
      )
    })
    chmodSync(path.join(workspace.root, 'packages'), 0o755)
  })
})

test('a workspace that does not exist is reported as such', async () => {
  await using folder = await tree()
  const missing = path.join(folder.root, 'missing')
  expect(refusalOf({ 'working-directory': '' }, () => readWorkingDirectory(missing))).toBe(
    `The workspace \`${missing}\` does not exist. Is there a checkout, or a step that creates the files, before this step?`,
  )
})
