// npm run test:mutation: how many faults in each folder of src/, and in the files beside the folders (`.`), their unit tests notice. For
// some folders only, name them: npm run test:mutation -- files .
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const stryker = join(import.meta.dirname, '../../node_modules/@stryker-mutator/core/bin/stryker.js')
const chosen = process.argv.slice(2)
const folders = readdirSync(join(import.meta.dirname, '../../src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
for (const folder of chosen.length > 0 ? chosen : ['.', ...folders]) {
  console.log(`src/${folder}`)
  const { status } = spawnSync(process.execPath, [stryker, 'run'], {
    stdio: 'inherit',
    env: { ...process.env, FOLDER: folder },
  })
  if (status !== 0) process.exitCode = 1
}
