/** The packages in a bundle: their licences, which have to go along with it, and the list of them (SBOM). */
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

/** CycloneDX 1.6, without time and serial number: the same packages give the same file. */
export function renderSbom(folders: readonly string[]): string {
  const components = folders.map((folder) => {
    const { license, name, version } = read(folder)
    const [, group, own = name] = /^(@.+)\/(.+)$/.exec(name) ?? []
    // https://github.com/package-url/purl-spec/blob/main/types-doc/npm-definition.md
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    const licenses = [/^[\w.-]+$/.test(license) ? { license: { id: license } } : { expression: license }]
    return { type: 'library', 'bom-ref': purl, ...(group && { group }), name: own, version, licenses, purl }
  })
  const unique = components.filter((one, index) => components.findIndex(({ purl }) => purl === one.purl) === index)
  const metadata = { component: { type: 'application', name: 'channel-file-upload' } }
  const sbom = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata, components: unique }
  return `${JSON.stringify(sbom, null, 2)}\n`
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
