// npm run test:mutation: how many faults in src/delivery and src/service the unit tests of each notice. For other folders, name them:
// npm run test:mutation -- files comment
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const stryker = join(import.meta.dirname, '../../node_modules/@stryker-mutator/core/bin/stryker.js')
const folders = process.argv.slice(2)
for (const folder of folders.length > 0 ? folders : ['delivery', 'service']) {
  console.log(`src/${folder}`)
  const { status } = spawnSync(process.execPath, [stryker, 'run'], {
    stdio: 'inherit',
    env: { ...process.env, FOLDER: folder },
  })
  if (status !== 0) process.exitCode = 1
}
