// Builds dist/ from src/: TypeScript to JavaScript, because ncc cannot compile it with this TypeScript, then one bundle,
// then the licences of what is in it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bundledPackages, renderLicenses } from './licenses.ts'

const root = dirname(import.meta.dirname)
const run = (script: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(root, 'node_modules', script), ...args], { cwd: root, stdio: 'inherit' })

rmSync(join(root, 'lib'), { recursive: true, force: true })
rmSync(join(root, 'dist'), { recursive: true, force: true })
run('typescript/bin/tsc', '--project', 'tsconfig.build.json')

const folder = mkdtempSync(join(tmpdir(), 'build-'))
try {
  const stats = join(folder, 'stats.json')
  run(
    '@vercel/ncc/dist/ncc/cli.js',
    'build',
    'lib/index.js',
    '--out',
    'dist',
    '--no-cache',
    '--quiet',
    '--stats-out',
    stats,
  )
  // ncc's own list of licences holds those of the last chunk only.
  const packages = bundledPackages(JSON.parse(readFileSync(stats, 'utf8')))
  writeFileSync(join(root, 'dist', 'licenses.txt'), renderLicenses(packages))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
