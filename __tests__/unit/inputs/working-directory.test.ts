import { chmodSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { readWorkingDirectory } from '../../../src/inputs/working-directory.ts'
import { asSomebody, tree } from '../../support/tree.ts'
import { refusalOf, withInputs } from '../../support/with-inputs.ts'

const entries = { 'packages/app/a.csv': '1', 'report.csv': '2', link: '-> packages/app', loop: '-> loop' }

describe('a working-directory', () => {
  test.each([
    ['', '.'],
    ['.', '.'],
    ['packages/app', 'packages/app'],
    ['./packages/../packages/app/', 'packages/app'],
    ['link', 'link'],
  ])('of %j is %s in the workspace', async (folder, expected) => {
    await using workspace = await tree(entries)
    const read = () => readWorkingDirectory(workspace.root)
    expect(withInputs({ 'working-directory': folder }, read)).toBe(path.join(workspace.root, expected))
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
    ['loop', 'is a link that leads to itself'],
    ['a'.repeat(5000), 'is too long for a path'],
  ])('of %.20s is refused', async (folder, why) => {
    await using workspace = await tree(entries)
    const refusal = refusalOf({ 'working-directory': folder }, () => readWorkingDirectory(workspace.root))
    expect(refusal).toMatch(/^`working-directory` is `/)
    expect(refusal).toContain(`\`, which ${why}. Write a folder that exists, relative to the workspace`)
  })

  const onPosix = process.platform === 'win32' ? test.skip : test

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
