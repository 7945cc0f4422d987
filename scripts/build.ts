// Builds dist/ from src/: TypeScript to JavaScript, because ncc cannot compile it with this TypeScript, then one bundle.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const run = (script: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(root, 'node_modules', script), ...args], { cwd: root, stdio: 'inherit' })

rmSync(join(root, 'lib'), { recursive: true, force: true })
rmSync(join(root, 'dist'), { recursive: true, force: true })
run('typescript/bin/tsc', '--project', 'tsconfig.build.json')
run(
  '@vercel/ncc/dist/ncc/cli.js',
  'build',
  'lib/index.js',
  '--out',
  'dist',
  '--license',
  'licenses.txt',
  '--no-cache',
  '--quiet',
)
