// scripts/trim/undici/ replaces files of undici that nothing calls. After an update of undici, other files may load them.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

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
