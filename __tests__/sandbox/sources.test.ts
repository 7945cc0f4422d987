import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { hashSources, refuseStaleBundle } from '../../sandbox/sources.ts'
import { makeFolder } from '../support/folder.ts'

test('a bundle of other sources is refused, with what to run', () => {
  const refuse = (hash: string) => {
    using folder = makeFolder({ 'sources.sha256': `${hash}\n` })
    refuseStaleBundle(join(folder.root, 'index.js'))
  }
  expect(() => refuse(hashSources())).not.toThrow()
  expect(() => refuse('0'.repeat(64))).toThrow(
    /index\.js was built from other sources than those in src\/\. Run: npm run build$/,
  )
})
