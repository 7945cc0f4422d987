/** What each dependency adds to `dist/`, by a build of it. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The part of it that is read here. */
interface StatsModule {
  readonly name?: string
  readonly size: number
  readonly moduleType?: string
  /** It was left out of the bundle, or joined with others. */
  readonly orphan?: boolean
  /** Of several modules that were made into one. */
  readonly modules?: readonly StatsModule[]
}

export interface Sizes {
  /** Bytes of the files in `dist/`. */
  readonly files: Readonly<Record<string, number>>
  /** Bytes of source that each package brings, the largest first; `src` is the action's own. */
  readonly packages: readonly (readonly [name: string, bytes: number])[]
}

export function measureSizes(folder: string): Sizes {
  const root = join(import.meta.dirname, '..')
  const statsFile = join(folder, 'stats.json')
  execFileSync(process.execPath, [join(root, 'scripts', 'build.ts'), statsFile], { stdio: 'inherit' })
  const stats: { readonly modules: readonly StatsModule[] } = JSON.parse(readFileSync(statsFile, 'utf8'))
  const packages = new Map<string, number>()
  const single = (module: StatsModule): readonly StatsModule[] => module.modules?.flatMap(single) ?? [module]
  const seen = new Set<string>()
  for (const { moduleType, name = '', size } of stats.modules.filter(({ orphan }) => !orphan).flatMap(single)) {
    if (!moduleType?.startsWith('javascript/') || seen.has(name)) continue
    seen.add(name)
    const owner = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? 'src'
    packages.set(owner, (packages.get(owner) ?? 0) + size)
  }
  const dist = join(root, 'dist')
  return {
    files: Object.fromEntries(readdirSync(dist).map((file) => [file, statSync(join(dist, file)).size])),
    packages: [...packages].toSorted(([, a], [, b]) => b - a),
  }
}
