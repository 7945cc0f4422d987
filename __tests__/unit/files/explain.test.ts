import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { FoundFiles } from '../../../src/files/files.ts'
import { quoted } from '../../../src/text/text.ts'
import { onLinux, onPosix, onWindows, withLinks } from '../../support/systems.ts'
import { type Entries, tree } from '../../support/tree.ts'

/** What is said about the first pattern that matches nothing. */
function explanationIn([first]: FoundFiles['unmatched']): string {
  return first === undefined ? '' : quoted(first.explanation ?? [])
}

const entries = {
  'README.md': '1',
  '.github/ci.yml': '2',
  'reports/unit/a.csv': '3',
  'reports/unit/b.csv': '4',
  'reports/Summary.txt': '5',
  'reports/.hidden.json': '6',
  'reports/.out/c.json': '7',
  'app/coverage.csv': '8',
}

async function expectExplanation(_situation: string, line: string, explanation: string): Promise<void> {
  await using workspace = await tree(entries)
  const { files, unmatched } = await workspace.find(line)
  expect(files).toEqual([])
  expect(unmatched.map((one) => [one.pattern, quoted(one.explanation ?? [])])).toEqual([[line, explanation]])
}

describe('a line that matches nothing is explained by', () => {
  test.each<[situation: string, line: string, explanation: string]>([
    [
      'the folder searched and what is there',
      'reports/unit/*.xml',
      'Searched `reports/unit`, which holds 2 entries: `a.csv`, `b.csv`.',
    ],
    [
      'the folder that is missing',
      'build/out/**',
      'There is no `build`: the workspace holds 4 entries: `README.md`, `app`, `reports` and 1 more.\n' +
        'Was `build/out` made in another job? Then download its artifact first. If not, the step that makes it failed, was skipped, is missing or comes later.',
    ],
    [
      'the file that is missing, with one of that name elsewhere',
      'reports/coverage.csv',
      'There is no `reports/coverage.csv`: `reports` holds 4 entries: `Summary.txt`, `unit`, `.hidden.json` and 1 more.\n' +
        'Elsewhere there is `app/coverage.csv`.',
    ],
    [
      'files further down',
      'reports/*.csv',
      'Searched `reports`, which holds 4 entries: `Summary.txt`, `unit`, `.hidden.json` and 1 more.\n' +
        '`*` stays in its folder, `**` searches those below too. Further down there is `reports/unit/a.csv`, `reports/unit/b.csv`.',
    ],
    [
      'files that fit the last part elsewhere',
      'reports/**/api/*.csv',
      'Searched `reports`, which holds 4 entries: `Summary.txt`, `unit`, `.hidden.json` and 1 more.\n' +
        'Elsewhere there is `reports/unit/a.csv`, `reports/unit/b.csv`.',
    ],
    [
      'hidden files and folders that were skipped',
      'reports/**/*.json',
      'Searched `reports`, which holds 4 entries: `Summary.txt`, `unit`, `.hidden.json` and 1 more.\n' +
        'Skipped: `reports/.hidden.json` is a hidden file; `reports/.out/` is a hidden folder. ' +
        'To send hidden files, write the dot in the pattern or set `include-hidden-files: true`.',
    ],
    [
      'a file where a folder should be',
      'README.md/*',
      '`README.md` is a file, not a folder. Searched the workspace, which holds 4 entries: `README.md`, `app`, `reports` and 1 more.',
    ],
  ])('%s', expectExplanation)

  onLinux.each<[situation: string, line: string, explanation: string]>([
    [
      'the case of a folder',
      'Reports/unit/*.csv',
      'There is no `Reports`: the workspace holds 4 entries: `README.md`, `app`, `reports` and 1 more.\n' +
        'Upper and lower case matter: there is `reports/unit/a.csv`, `reports/unit/b.csv`.',
    ],
    [
      'the case of a name',
      'reports/summary.*',
      'Searched `reports`, which holds 4 entries: `Summary.txt`, `unit`, `.hidden.json` and 1 more.\n' +
        'Upper and lower case matter: there is `reports/Summary.txt`.',
    ],
  ])('%s', expectExplanation)

  const spelled = {
    'reports/coverage.csv': '1',
    'reports/unit/a.csv': '2',
    'reports/unit/b.csv': '3',
    'reports/part-1.csv': '4',
    'reports/notes.txt': '5',
    'coverage/app.xml': '6',
  }
  test.each([
    ['reports/covrage.csv', 'There is no `reports/covrage.csv`. Did you mean `reports/coverage.csv`?'],
    ['reports/**/*.cvs', 'There are no `.cvs` files below `reports`, but 4 `.csv` files. Did you mean `*.csv`?'],
    ['reports/c*.cvs', 'There are no `.cvs` files in `reports`, but 1 `.csv` file. Did you mean `c*.csv`?'],
    ['**/*.xnl', 'There are no `.xnl` files below the workspace, but 1 `.xml` file. Did you mean `*.xml`?'],
    ['report/*.csv', 'There is no folder `report`. Did you mean `reports`?'],
    ['report/coverage.csv', 'There is no folder `report`. Did you mean `reports`?'],
    ['reports/unt/**', 'There is no folder `reports/unt`. Did you mean `reports/unit`?'],
    ['/reports/*.csv', "A leading `/` is the root of the runner's disk. Did you mean `reports/*.csv`?"],
    [
      '/reports/**/covrage.csv',
      "A leading `/` is the root of the runner's disk. Did you mean `reports/**/covrage.csv`?",
    ],
  ])('what was probably meant: %s', async (line, explanation) => {
    await using workspace = await tree(spelled)
    const { unmatched } = await workspace.find(line)
    expect(explanationIn(unmatched)).toBe(explanation)
  })

  test.each([
    'reports/part-2.csv',
    '.reports/a.txt',
    'reports/note.txt/*.csv',
    'reports/xyz.csv',
    'reports/*.json',
    'reports/not.txt',
    '/no-such-folder/*.csv',
  ])('no guess, if nothing has almost the name: %s', async (line) => {
    await using workspace = await tree(spelled)
    const { unmatched } = await workspace.find(line)
    expect(explanationIn(unmatched)).not.toContain('Did you mean')
  })

  type LastLine = [situation: string, entries: Entries, line: string, lastLine: string]
  const expectLastLine = async (_situation: string, more: Entries, line: string, lastLine: string) => {
    await using workspace = await tree(more)
    const { unmatched } = await workspace.find(line)
    expect(explanationIn(unmatched).split('\n').at(-1)).toBe(lastLine)
  }

  test.each<LastLine>([
    [
      'a file of this name elsewhere, before one of a similar name',
      { 'coverages.csv': '1', 'app/coverage.csv': '2' },
      'coverage.csv',
      'Elsewhere there is `app/coverage.csv`.',
    ],
    [
      'a file with brackets in its name',
      { 'x/a[1].csv': '1', 'y/a1.csv': '2' },
      'a[[]1].csv',
      'Elsewhere there is `x/a[1].csv`.',
    ],
    [
      'at most three files further down, in their order',
      { 'b/1.csv': '1', 'a/b/2.csv': '2', 'a/b/c/3.csv': '3', 'd/4.csv': '4' },
      '*.csv',
      '`*` stays in its folder, `**` searches those below too. Further down there is `a/b/2.csv`, `a/b/c/3.csv`, `b/1.csv` and 1 more.',
    ],
    [
      'at most three files elsewhere',
      { 'a/x.csv': '1', 'b/x.csv': '2', 'c/x.csv': '3', 'd/x.csv': '4' },
      'none/x.csv',
      'Elsewhere there is `a/x.csv`, `b/x.csv`, `c/x.csv` and 1 more.',
    ],
    [
      'at most three files that are excluded',
      { 'a.csv': '1', 'b.csv': '2', 'c.csv': '3', 'd.csv': '4' },
      '*.csv\n!*.csv',
      '`!*.csv` excludes `a.csv`, `b.csv`, `c.csv` and 1 more.',
    ],
    [
      'a missing folder of which all files are wanted',
      { 'a.csv': '1' },
      'none/*',
      'Was `none` made in another job? Then download its artifact first. If not, the step that makes it failed, was skipped, is missing or comes later.',
    ],
    [
      'an empty folder',
      { 'a.txt': '1', 'reports/': '' },
      'reports/*.csv',
      'Did the step that writes its files run, and before this one?',
    ],
    ['a line that stands for nothing', { 'a.csv': '1' }, '{,}', 'It matches no path at all.'],
  ])('%s', expectLastLine)

  onLinux.each<LastLine>([
    [
      'the case of a name, before one of a similar name',
      { 'summary.txt': '1', 'Sumary.txt': '2' },
      'Summary.txt',
      'Upper and lower case matter: there is `summary.txt`.',
    ],
    [
      'at most three files that differ in case',
      { 'a.CSV': '1', 'b.CSV': '2', 'c.CSV': '3', 'd.CSV': '4' },
      '*.csv',
      'Upper and lower case matter: there is `a.CSV`, `b.CSV`, `c.CSV` and 1 more.',
    ],
    [
      'a credential file, and how to send it',
      { '.env': '1' },
      '.e*',
      'Skipped: `.env` is an environment file, where credentials are kept. To send one of them anyway, put it into an archive: archives are not opened.',
    ],
  ])('%s', expectLastLine)

  withLinks.each<LastLine>([
    [
      'hidden and other files that were skipped',
      { '.a.csv': '1', 'b.csv': '-> none' },
      '*.csv',
      'Skipped: `.a.csv` is a hidden file; `b.csv` is a link to something that does not exist. ' +
        'To send hidden files, write the dot in the pattern or set `include-hidden-files: true`.',
    ],
    [
      'only other files that were skipped',
      { 'b.csv': '-> none' },
      '*.csv',
      'Skipped: `b.csv` is a link to something that does not exist.',
    ],
  ])('%s', expectLastLine)

  describe('nothing that lies outside the workspace', () => {
    // `/`, or the drive of the workspace.
    const top = path.parse(tmpdir()).root.replaceAll(path.sep, '/')
    test.each([
      ['/no-such-folder/*/a.conf', `There is no \`${top}no-such-folder\`.`],
      [
        '/no-such-folder/*.log',
        `There is no \`${top}no-such-folder\`.\nWas \`${top}no-such-folder\` made in another job?`,
      ],
    ])('%s', async (line, explanation) => {
      await using workspace = await tree(spelled)
      const { unmatched } = await workspace.find(line)
      expect(explanationIn(unmatched)).toContain(explanation)
      expect(explanationIn(unmatched)).not.toMatch(/holds|Further down|Elsewhere/)
    })

    const expectNothingNamed = async (line: string, link: Entries = {}) => {
      await using outside = await tree({ 'other/secrets.txt': '1', 'workspace/a': '1', ...link })
      const workspace = path.join(outside.root, 'workspace')
      const { files, unmatched } = await outside.find(line, { workspace, workingDirectory: workspace })
      expect([files.length, unmatched.length]).toEqual([0, 1])
      expect(explanationIn(unmatched)).not.toMatch(/secrets|holds|Further down|Elsewhere|Did you mean/)
    }

    test.each([
      ['a folder beside it', '../reports/*.csv'],
      ['a file beside it', '../secret.txt'],
      ['a folder that is there', '../other/*.csv'],
      ['a folder of a similar name', '../othr/*.txt'],
    ])('%s', (_situation, line) => expectNothingNamed(line))

    onLinux('a folder with other case', () => expectNothingNamed('../Other/*.txt'))

    withLinks('a link that leads out of it', () =>
      expectNothingNamed('link/*.csv', { 'workspace/link': '-> ../other' }),
    )

    test('but what lies in it', async () => {
      await using outside = await tree({ 'workspace/reports/a.csv': '1' })
      const workspace = path.join(outside.root, 'workspace')
      const { unmatched } = await outside.find('../reports/*.csv', { workspace, workingDirectory: workspace })
      expect(explanationIn(unmatched)).toMatch(
        /^There is no `[^`]*\/reports`\.\nElsewhere there is `reports\/a\.csv`\.$/,
      )
    })
  })

  test('no question if files may be missing', async () => {
    await using workspace = await tree(entries)
    const { unmatched } = await workspace.find('build/out/**', { ifNoFilesFound: 'ignore' })
    expect(explanationIn(unmatched)).toBe(
      'There is no `build`: the workspace holds 4 entries: `README.md`, `app`, `reports` and 1 more.',
    )
  })

  test('the line that excludes what it matches', async () => {
    await using workspace = await tree(entries)
    const { unmatched } = await workspace.find('app/*.csv\nREADME.md\n!**/cov*\n!README.*')
    expect(unmatched.map((one) => [one.pattern, one.literal, quoted(one.explanation ?? [])])).toEqual([
      [
        'app/*.csv',
        false,
        'Searched `app`, which holds 1 entry: `coverage.csv`.\n`!**/cov*` excludes `app/coverage.csv`.',
      ],
      ['README.md', true, '`README.md` exists.\n`!README.*` excludes `README.md`.'],
    ])
  })

  test('the workspace in which there is nothing yet', async () => {
    await using workspace = await tree()
    const { unmatched } = await workspace.find('reports/*.csv')
    expect(explanationIn(unmatched)).toBe(
      'There is no `reports`: the workspace holds nothing.\n' +
        'Nothing was put into the workspace yet: is the checkout missing, or the download of an artifact of another job?',
    )
  })

  test('the place where a name of the file is, outside the working directory', async () => {
    await using workspace = await tree(entries)
    const { unmatched } = await workspace.find('coverage.csv', {
      workingDirectory: path.join(workspace.root, 'reports'),
    })
    expect(explanationIn(unmatched)).toContain('There is no `reports/coverage.csv`')
    expect(explanationIn(unmatched)).toContain('Elsewhere there is `app/coverage.csv`.')
  })

  onWindows('the drive that is missing', async () => {
    await using workspace = await tree(entries)
    const { unmatched } = await workspace.find('Q:\\reports\\*.xml\nQ:\\reports\\coverage.csv')
    expect(unmatched.map(({ explanation = [] }) => quoted(explanation).split('\n'))).toEqual([
      ['There is no drive or share `Q:\\`.', expect.stringMatching(/^Was `Q:\/reports` made in another job\?/)],
      ['There is no drive or share `Q:\\`.', 'Elsewhere there is `app/coverage.csv`.'],
    ])
  })

  test('a bounded number of entries of a large folder', async () => {
    await using workspace = await tree()
    await workspace.add(Object.fromEntries(Array.from({ length: 1010 }, (_, index) => [`many/${index}.txt`, ''])))
    const { unmatched } = await workspace.find('many/*.csv')
    expect(explanationIn(unmatched)).toContain('`many`, which holds 1,010 entries: ')
  })

  test('no file of node_modules', async () => {
    await using workspace = await tree({ 'node_modules/some/far.csv': '1', 'node_modules.old/far.csv': '2' })
    expect(explanationIn((await workspace.find('*.csv')).unmatched)).toContain('there is `node_modules.old/far.csv`.')
  })

  test('not more than some thousand entries in all', async () => {
    await using workspace = await tree({ 'b/far.csv': '1' })
    expect(explanationIn((await workspace.find('*.csv')).unmatched)).toContain('b/far.csv')
    await workspace.add(Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`a/${index}.txt`, ''])))
    expect(explanationIn((await workspace.find('*.csv')).unmatched)).not.toContain('b/far.csv')
  })

  withLinks('what a link leads to', async () => {
    await using workspace = await tree({ 'a.csv': '-> gone.csv' })
    const { unmatched } = await workspace.find('a.csv')
    expect(unmatched[0]).toMatchObject({ literal: true })
    expect(explanationIn(unmatched)).toContain('Skipped: `a.csv` is a link to something that does not exist.')
  })

  onPosix('at most four lines, without control characters, whatever the names', async () => {
    await using workspace = await tree({ 'a\n::error::b/.c\nd.csv': '1' })
    const { unmatched } = await workspace.find('*/*.csv\n*/.c\u0007*')
    expect(unmatched).toHaveLength(2)
    for (const explanation of unmatched.map((one) => quoted(one.explanation ?? []))) {
      expect(explanation.split('\n').length).toBeLessThanOrEqual(4)
      expect(explanation.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
      expect(explanation).not.toMatch(/^::/m)
    }
  })
})
