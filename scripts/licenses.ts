/** The packages in a bundle: their licences, and the SBOM. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Of webpack's stats. Several modules can be joined to one. */
export interface BundledModule {
  /** Absolute path of the source. */
  readonly nameForCondition?: string | null
  /** Left out of the bundle, or joined with others. */
  readonly orphan?: boolean
  readonly modules?: readonly BundledModule[]
}

/** Absolute folders of the packages, sorted by name. */
export function bundledPackages(stats: {
  readonly modules: readonly BundledModule[]
}): readonly string[] {
  const folders = new Set<string>()
  const collect = ({ nameForCondition, modules = [] }: BundledModule): void => {
    const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(
      nameForCondition ?? '',
    )?.[0]
    if (folder !== undefined) folders.add(folder)
    modules.forEach(collect)
  }
  stats.modules.filter(({ orphan }) => !orphan).forEach(collect)
  return [...folders].sort((one, other) => (nameAndVersion(one) < nameAndVersion(other) ? -1 : 1))
}

/** A section per package: name, version, licence, its text. */
export function renderLicenses(folders: readonly string[]): string {
  const sections = folders.map(
    (folder) => `${nameAndVersion(folder)} (${read(folder).license})\n\n${textOf(folder)}\n`,
  )
  // undici carries it as WebAssembly, without its licence.
  const llhttp = readFileSync(new URL('llhttp-license.txt', import.meta.url), 'utf8')
  if (folders.some((folder) => read(folder).name === 'undici'))
    sections.push(`llhttp, in undici (MIT)\n\n${llhttp}`)
  return [...new Set(sections)].join(`\n${'-'.repeat(80)}\n\n`)
}

/** Of package-lock.json. */
export interface Lockfile {
  /** By the path of the folder: `node_modules/undici`. */
  readonly packages: Readonly<
    Record<string, { readonly version: string; readonly integrity?: string }>
  >
}

/** Of package.json. `repository` is `github:owner/name`. */
export type Project = Readonly<Record<'name' | 'version' | 'repository', string>>

/**
 * CycloneDX 1.6, without time and serial number: the same packages give the same file.
 *
 * @param trimmed names of packages whose code differs from the published one
 */
export function renderSbom(
  folders: readonly string[],
  lockfile: Lockfile,
  project: Project,
  trimmed: readonly string[],
): string {
  const components = folders.map((folder) => {
    const { license, name, version } = read(folder)
    const [, group, own = name] = /^(@.+)\/(.+)$/.exec(name) ?? []
    // https://github.com/package-url/purl-spec/blob/main/types-doc/npm-definition.md
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    const licenses = [
      /^[\w.-]+$/.test(license) ? { license: { id: license } } : { expression: license },
    ]
    return {
      type: 'library',
      'bom-ref': purl,
      ...(group && { group }),
      name: own,
      version,
      hashes: [{ alg: 'SHA-512', content: sha512Of(folder, lockfile) }],
      licenses,
      purl,
      ...(trimmed.includes(name) && { pedigree: { notes } }),
      ...(name === 'undici' && { components: [llhttp] }),
    }
  })
  const unique = components.filter(
    (one, index) => components.findIndex(({ purl }) => purl === one.purl) === index,
  )
  const { name, repository, version } = project
  // A purl has the tag, and the repository in lower case.
  const purl = `pkg:${repository.toLowerCase().replace(':', '/')}@v${version}`
  const metadata = { component: { type: 'application', name, version, purl } }
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata,
    components: unique,
  }
  return `${JSON.stringify(sbom, null, 2)}\n`
}

const notes =
  'The hash is that of the package on npm. The build replaced files of it: docs/dependencies.md#trimmed'

/** undici does not say its version. */
const llhttp = {
  type: 'library',
  'bom-ref': 'pkg:github/nodejs/llhttp',
  name: 'llhttp',
  description: 'Compiled to WebAssembly in undici',
  licenses: [{ license: { id: 'MIT' } }],
  purl: 'pkg:github/nodejs/llhttp',
}

/** Of the published package, in hexadecimal. The build copies some packages to its own folder. */
function sha512Of(folder: string, { packages }: Lockfile): string {
  const { name, version } = read(folder)
  const entries = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`))
  const { integrity = '' } =
    entries.map(([, entry]) => entry).find((entry) => entry.version === version) ?? {}
  const [, base64] = /^sha512-(\S+)$/.exec(integrity) ?? []
  if (base64 === undefined)
    throw new Error(`package-lock.json has no SHA-512 of ${name} ${version}`)
  return Buffer.from(base64, 'base64').toString('hex')
}

const nameAndVersion = (folder: string) => `${read(folder).name} ${read(folder).version}`

function read(folder: string): {
  readonly name: string
  readonly version: string
  readonly license: string
} {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function textOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.|$)/i.test(name))
  if (file === undefined) throw new Error(`${nameAndVersion(folder)} brings no licence text`)
  return readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
}
