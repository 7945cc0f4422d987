// Builds dist/ from src/: JavaScript, since ncc cannot compile with this TypeScript; one bundle;
// its licences and SBOM. Usage: npm run build -- [--whole] [file for webpack's statistics]
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { hashFileOf, hashSources } from '../sandbox/sources.ts'
import { bundledPackages, renderLicenses, renderSbom } from './licenses.ts'

const {
  positionals: [statsFile],
  values: { whole },
} = parseArgs({ allowPositionals: true, options: { whole: { type: 'boolean', default: false } } })
const root = dirname(import.meta.dirname)
const lib = join(root, 'lib')
// Moved to dist/ at the end, so that an error leaves the last bundle as it was.
const made = join(lib, 'dist')
// Not committed. Shows that the action also works without scripts/trim/.
const dist = join(root, whole ? 'dist-whole' : 'dist')
// In a path, `#`, `?` and `!` have a meaning for webpack, and `*` gives another bundle without an
// error.
const [sign] = /[#*?!]/.exec(root) ?? []
if (sign !== undefined) {
  console.error(`The build cannot work below a folder with ${sign} in its name: move ${root}`)
  process.exit(1)
}
const replaced = {
  '@actions/github': ['../scripts/trim/actions-github.js'],
}
const withFewerSideEffects = ['@actions/core', '@actions/glob']
const trimmed = whole ? [] : ['undici', ...Object.keys(replaced), ...withFewerSideEffects]
const run = (script: string, cwd: string, ...args: string[]) => {
  const path = join(root, 'node_modules', script)
  const { status } = spawnSync(process.execPath, [path, ...args], { cwd, stdio: 'inherit' })
  // Its own error stays the last lines.
  if (status !== 0) process.exit(1)
}

rmSync(lib, { recursive: true, force: true })
run('typescript/bin/tsc', root, '--project', 'tsconfig.build.json')
// ncc resolves a package by the paths of the tsconfig in its working folder.
const compilerOptions = { allowJs: true, baseUrl: '.', paths: whole ? {} : replaced }
writeFileSync(join(lib, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
if (!whole) {
  copyTrimmed('undici', join(lib, 'node_modules'))
  for (const name of withFewerSideEffects) copyWithoutSideEffects(name, join(lib, 'node_modules'))
}

const stats = resolve(statsFile ?? join(lib, 'stats.json'))
const ncc = '@vercel/ncc/dist/ncc/cli.js'
run(ncc, lib, 'build', 'index.js', '--out', made, '--no-cache', '--quiet', '--stats-out', stats)
const bundle = join(made, 'index.js')
const code = readFileSync(bundle, 'utf8')
// V8 keeps ASCII in one byte per character instead of two.
writeFileSync(
  bundle,
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
)
// ncc's own list of licences holds those of one chunk only (findings/ncc-licenses.sh).
const packages = bundledPackages(JSON.parse(readFileSync(stats, 'utf8')))
const [lockfile, project] = ['package-lock.json', 'package.json'].map((name) =>
  JSON.parse(readFileSync(join(root, name), 'utf8')),
)
writeFileSync(join(made, 'licenses.txt'), renderLicenses(packages))
writeFileSync(join(made, 'sbom.cdx.json'), renderSbom(packages, lockfile, project, trimmed))
writeFileSync(hashFileOf(bundle), `${hashSources()}\n`)
rmSync(dist, { recursive: true, force: true })
renameSync(made, dist)

/** Copies a package, with the files in scripts/trim/ in place of its own. */
function copyTrimmed(name: string, folder: string): void {
  const copy = join(folder, name)
  const replacements = join(import.meta.dirname, 'trim', name)
  cpSync(join(root, 'node_modules', name), copy, { recursive: true })
  for (const path of readdirSync(replacements, { recursive: true, encoding: 'utf8' })) {
    if (!existsSync(join(copy, path))) throw new Error(`${name} has no ${path} to replace`)
  }
  cpSync(replacements, copy, { recursive: true })
}

/** Copies a package so that webpack leaves out its unused modules, whose import has no effect. */
function copyWithoutSideEffects(name: string, folder: string): void {
  const copy = join(folder, name)
  cpSync(join(root, 'node_modules', name), copy, { recursive: true })
  const manifest = join(copy, 'package.json')
  writeFileSync(
    manifest,
    JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), sideEffects: false }),
  )
}
