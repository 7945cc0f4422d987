// What the bundle holds of other packages: their licenses, and what the build replaces.
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const dist = new URL('../../dist/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, dist), 'utf8')
const licenses = read('licenses.txt')

test('dist/licenses.txt holds the licence of every package whose code is in the bundle', () => {
  const code = readdirSync(dist).filter((name) => name.endsWith('.js'))
  // The bundle is not minified: a comment names the file that each module comes from.
  const paths = code.flatMap((name) => read(name).match(/node_modules\/(?:@[\w.-]+\/)?[\w.-]+(?=\/)/g) ?? [])
  const packages = [...new Set(paths.map((path) => path.replace('node_modules/', '')))]
  expect(packages).toContain('minimatch')
  for (const name of packages) expect(licenses).toMatch(new RegExp(`^${name} \\S+ \\([A-Z]\\S+\\)$`, 'm'))
  // Its modules are older, and come without such a comment.
  expect(licenses).toMatch(/^undici \S+ \(MIT\)$/m)
  expect(licenses).toMatch(/^llhttp, in undici \(MIT\)$/m)
})

test('each of them comes with its text', () => {
  for (const section of licenses.split(`\n${'-'.repeat(80)}\n\n`)) {
    expect(section).toMatch(/^\S.* \([\w.-]+\)\n\n[\s\S]{400,}\n$/)
  }
})

test('dist/sbom.cdx.json lists the same packages, and nothing that changes with each build', () => {
  const { components, ...about } = JSON.parse(read('sbom.cdx.json'))
  const listed = components.map((one: Readonly<Record<string, string>>) => {
    const name = one['group'] ? `${one['group']}/${one['name']}` : one['name']
    expect(one['purl']).toBe(`pkg:npm/${name?.replace('@', '%40')}@${one['version']}`)
    return `${name} ${one['version']}`
  })
  expect(listed).toEqual([...licenses.matchAll(/^(\S+ \d\S*) \([\w.-]+\)$/gm)].map(([, name]) => name))
  const undici = components.find((one: Readonly<Record<string, string>>) => one['name'] === 'undici')
  expect(undici.components).toMatchObject([{ name: 'llhttp', licenses: [{ license: { id: 'MIT' } }] }])
  const { integrity } = JSON.parse(readFileSync(new URL('../package-lock.json', dist), 'utf8')).packages[
    'node_modules/undici'
  ]
  expect(`sha512-${Buffer.from(undici.hashes[0].content, 'hex').toString('base64')}`).toBe(integrity)
  expect(about).toEqual({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'channel-file-upload' } },
  })
})

// scripts/trim/undici/ replaces files of undici that nothing calls. After an update of undici, other files may load them.
const root = fileURLToPath(new URL('../../', import.meta.url))
const scripts = (folder: string, exclude: string[] = []): readonly string[] =>
  globSync('**/*.js', { cwd: join(root, folder), exclude }).map((file) => file.replaceAll('\\', '/'))

test('only these files of undici load what the build replaces', () => {
  const replaced = scripts('scripts/trim/undici/lib')
  // web/ is left out as a whole: what it consists of is loaded only by what is replaced.
  const loads = scripts('node_modules/undici/lib', ['web/**']).flatMap((file) =>
    [...readFileSync(join(root, 'node_modules/undici/lib', file), 'utf8').matchAll(/require\('(\.[^']+)'\)/g)]
      .map(([, path = '']) => join(dirname(file), path))
      .flatMap((path) => replaced.filter((one) => [path, `${path}.js`, `${path}/index.js`].includes(one)))
      .map((one) => `${file} loads ${one}`),
  )
  expect(loads.toSorted()).toEqual([
    'core/request.js loads web/fetch/formdata.js',
    'core/request.js loads web/webidl/index.js',
    'dispatcher/client-h1.js loads dispatcher/parser-h1.js',
    'dispatcher/client-h1.js loads web/fetch/body.js',
    'dispatcher/client-h2.js loads web/fetch/body.js',
    'dispatcher/client.js loads dispatcher/client-h2.js',
  ])
})
