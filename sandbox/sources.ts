// The build keeps a hash of the sources beside the bundle. It is compared at each start, not times,
// because a checkout writes dist/ before src/.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'

const root = dirname(import.meta.dirname)
const patterns = [
  'src/**/*.ts',
  'scripts/trim/**/*.js',
  'scripts/{build,licenses}.ts',
  'tsconfig{,.build}.json',
]

/** SHA-256 of all names and contents, the same for CRLF. */
export function hashSources(folder = root): string {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8').replaceAll('\r\n', '\n')
  const paths = globSync(patterns, { cwd: folder }).map((path) => path.replaceAll('\\', '/'))
  const { dependencies, devDependencies } = JSON.parse(read('package.json'))
  const packages = {
    ...dependencies,
    ncc: devDependencies['@vercel/ncc'],
    typescript: devDependencies.typescript,
  }
  const hash = createHash('sha256').update(JSON.stringify(packages))
  for (const path of paths.sort()) hash.update(`\0${path}\0${read(path)}`)
  return hash.digest('hex')
}

export function hashFileOf(bundle: string): string {
  return join(dirname(bundle), 'sources.sha256')
}

/** Computed once per process. */
let current: string | undefined

/** @throws {Error} if the bundle was built from other sources */
export function refuseStaleBundle(bundle: string): void {
  // Coverage runs the sources themselves.
  if (extname(bundle) === '.ts') return
  const file = hashFileOf(bundle)
  current ??= hashSources()
  if (existsSync(file) && readFileSync(file, 'utf8').trim() === current) return
  const error = new Error(
    `${relative(root, bundle)} was built from other sources than those in src/. Run: npm run build`,
  )
  // jest would show this code for each test file.
  error.stack = error.message
  throw error
}
