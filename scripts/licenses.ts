/** The licences of the packages in a bundle, as they have to go along with it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is read of webpack's stats: a module can be several that were joined. */
export interface BundledModule {
  /** Absolute path of the source. */
  readonly nameForCondition?: string | null
  /** It was left out of the bundle, or joined with others. */
  readonly orphan?: boolean
  readonly modules?: readonly BundledModule[]
}

/** Absolute folders of the packages, sorted by name. */
export function bundledPackages(stats: { readonly modules: readonly BundledModule[] }): readonly string[] {
  const folders = new Set<string>()
  const collect = ({ nameForCondition, modules = [] }: BundledModule): void => {
    const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(nameForCondition ?? '')?.[0]
    if (folder !== undefined) folders.add(folder)
    modules.forEach(collect)
  }
  stats.modules.filter(({ orphan }) => !orphan).forEach(collect)
  return [...folders].sort((one, other) => (nameAndVersion(one) < nameAndVersion(other) ? -1 : 1))
}

/** One section a package: name, version, licence, its text. */
export function renderLicenses(folders: readonly string[]): string {
  const sections = folders.map((folder) => `${nameAndVersion(folder)} (${read(folder).license})\n\n${textOf(folder)}\n`)
  // undici carries it as WebAssembly, without its licence.
  const llhttp = readFileSync(new URL('llhttp-license.txt', import.meta.url), 'utf8')
  if (folders.some((folder) => read(folder).name === 'undici')) sections.push(`llhttp, in undici (MIT)\n\n${llhttp}`)
  return [...new Set(sections)].join(`\n${'-'.repeat(80)}\n\n`)
}

const nameAndVersion = (folder: string) => `${read(folder).name} ${read(folder).version}`

function read(folder: string): { readonly name: string; readonly version: string; readonly license: string } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function textOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.|$)/i.test(name))
  if (file === undefined) throw new Error(`${nameAndVersion(folder)} brings no licence text`)
  return readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
}
