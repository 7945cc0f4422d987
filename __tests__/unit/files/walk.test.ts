import { basename } from 'node:path'
import { expect, test } from '@jest/globals'
import { searchContext } from '../../../src/files/search-context.ts'
import { walk } from '../../../src/files/walk.ts'
import { findOptions, tree } from '../../support/tree.ts'

test('what is found is in the order of its paths, whichever folder is read first', async () => {
  await using workspace = await tree('a/1.csv b/2.csv')
  const context = await searchContext([], findOptions(workspace.root))
  const isRead = Promise.withResolvers<void>()
  const entriesOf = async (folder: string) => {
    if (basename(folder) === 'a') await isRead.promise
    const entries = await context.entriesOf(folder)
    if (basename(folder) === 'b') isRead.resolve()
    return entries
  }
  const pattern = { root: workspace.root, segments: ['*', '*.csv'], foldersOnly: false }
  const { matches } = await walk({ ...context, entriesOf }, pattern)
  expect(matches.map(({ path }) => basename(path))).toEqual(['1.csv', '2.csv'])
})
