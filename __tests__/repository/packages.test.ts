// Packages: in the repository and in the bundle, their licenses, and replaced modules.
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { expect, test } from '@jest/globals'
import { filesIn, read, root } from '../support/repository.ts'

const licenses = read('dist/licenses.txt')
const lockfile = JSON.parse(read('package-lock.json'))

test('dist/licenses.txt holds the licence of every package whose code is in the bundle', () => {
  const code = filesIn('dist/').filter((path) => path.endsWith('.js'))
  // In the bundle, a comment names each module's file.
  const paths = code.flatMap(
    (path) => read(path).match(/node_modules\/(?:@[\w.-]+\/)?[\w.-]+(?=\/)/g) ?? [],
  )
  const packages = [...new Set(paths.map((path) => path.replace('node_modules/', '')))]
  expect(packages).toContain('minimatch')
  for (const name of packages)
    expect(licenses).toMatch(new RegExp(`^${name} \\S+ \\([A-Z]\\S+\\)$`, 'm'))
  // undici's older modules have no such comment.
  expect(licenses).toMatch(/^undici \S+ \(MIT\)$/m)
  expect(licenses).toMatch(/^llhttp, in undici \(MIT\)$/m)
})

test('each of them comes with its text', () => {
  for (const section of licenses.split(`\n${'-'.repeat(80)}\n\n`)) {
    expect(section).toMatch(/^\S.* \([\w.-]+\)\n\n[\s\S]{400,}\n$/)
  }
})

test('dist/sbom.cdx.json lists the same packages for this version, and nothing that changes with each build', () => {
  const { components, ...about } = JSON.parse(read('dist/sbom.cdx.json'))
  const listed = []
  const noted = []
  for (const { components: parts, group, hashes, name, pedigree, purl, version } of components) {
    const whole = group ? `${group}/${name}` : name
    expect(purl).toBe(`pkg:npm/${whole.replace('@', '%40')}@${version}`)
    const digest = Buffer.from(hashes[0].content, 'hex').toString('base64')
    expect(`sha512-${digest}`).toBe(lockfile.packages[`node_modules/${whole}`].integrity)
    listed.push(`${whole} ${version}`)
    if (pedigree?.notes.includes('#trimmed')) noted.push(whole)
    if (whole === 'undici') expect(parts).toMatchObject([{ name: 'llhttp' }])
  }
  expect(listed).toEqual(
    [...licenses.matchAll(/^(\S+ \d\S*) \([\w.-]+\)$/gm)].map(([, name]) => name),
  )
  // Their hashes are of the published packages, which have other files.
  expect(noted).toEqual(['@actions/core', '@actions/github', '@actions/glob', 'undici'])
  const { repository, version } = JSON.parse(read('package.json'))
  const purl = `pkg:github/${repository.slice('github:'.length).toLowerCase()}@v${version}`
  expect(about).toEqual({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'channel-file-upload', version, purl } },
  })
})

test('dependencies have exact versions, and only the package node may run an install script', () => {
  const { allowScripts, dependencies, devDependencies } = JSON.parse(read('package.json'))
  const versions = Object.values<string>({ ...dependencies, ...devDependencies })
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  const { packages } = lockfile
  const withScript = Object.keys(packages).filter(
    (path) => path !== '' && packages[path].hasInstallScript,
  )
  const names = withScript.map((path) => path.replace(/^.*node_modules\//, ''))
  expect(names.filter((name) => !(name in allowScripts))).toEqual([])
  expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(['node'])
})

// scripts/trim/undici/ replaces files of undici that are never called. After an update, other files
// may load them.
const scripts = (folder: string, exclude: string[] = []): readonly string[] =>
  globSync('**/*.js', { cwd: new URL(folder, root), exclude }).map((file) =>
    file.replaceAll('\\', '/'),
  )

test('only these files of undici load what the build replaces', () => {
  const replaced = scripts('scripts/trim/undici/lib')
  // web/ is loaded only by replaced files.
  const loads = scripts('node_modules/undici/lib', ['web/**']).flatMap((file) =>
    [...read(`node_modules/undici/lib/${file}`).matchAll(/require\('(\.[^']+)'\)/g)]
      .map(([, path = '']) => join(dirname(file), path))
      .flatMap((path) =>
        replaced.filter((one) => [path, `${path}.js`, `${path}/index.js`].includes(one)),
      )
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
