/** What SECURITY.md says of this repository, and that each row of its threat model has a test or names who promises it. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { untested } from '../../scripts/check-release.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

test('each row of the threat model names tests that exist, or whose promise it is', () => {
  expect(read('SECURITY.md').match(/^\| \*\*/gm)?.length).toBeGreaterThan(5)
  expect(untested(read('SECURITY.md'))).toEqual([])
})

test('dependencies have exact versions, and only the package node may run an install script', () => {
  const { allowScripts, dependencies, devDependencies } = JSON.parse(read('package.json'))
  const versions = Object.values<string>({ ...dependencies, ...devDependencies })
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  const { packages } = JSON.parse(read('package-lock.json'))
  const withScript = Object.keys(packages).filter((path) => path !== '' && packages[path].hasInstallScript)
  const names = withScript.map((path) => path.replace(/^.*node_modules\//, ''))
  expect(names.filter((name) => !(name in allowScripts))).toEqual([])
  expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(['node'])
})

test('no workflow runs for a pull request of a fork with secrets', () => {
  const workflows = ['examples/workflows/', '.github/workflows/'].flatMap((folder) =>
    readdirSync(new URL(folder, root)).map((name) => folder + name),
  )
  expect(workflows.filter((path) => /^\s*pull_request_target:?/m.test(read(path)))).toEqual([])
})
