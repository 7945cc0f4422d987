/**
 * The form of the scripts in `findings/`, and how `npm run findings` judges them. Runs none of
 * them.
 */
import { chmodSync, existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { findingScripts, playFinding } from '../../scripts/findings.ts'
import { sharedFolder } from '../support/folder.ts'
import { read, root } from '../support/repository.ts'
import { onPosix } from '../support/systems.ts'

const support = join(import.meta.dirname, '../../findings/support.bash')
const bash = '#!/usr/bin/env bash\n'
const played = (line: string, described: string) =>
  `${bash}. '${support}' "$(mktemp -d)"\nplay ${line}\ndescribed <<'END'\n${described}\nEND\n`
const folder = sharedFolder({
  'same.sh': played('echo one', 'one'),
  'other.sh': played('echo one', 'two'),
  'failing.sh': played("sh -c 'echo one; exit 3'", 'one'),
  'offline.sh': `${bash}echo 'Versions: a 1, b 2'\necho 'Versions: c 3'\nexit 2\n`,
  'leaving.sh': `${bash}echo "$TMPDIR"\ntouch "$TMPDIR/left"\n`,
  'endless.sh': `${bash}sleep 600\n`,
})

function playOwn(name: string, maxSeconds = 60) {
  const script = join(folder, name)
  chmodSync(script, 0o755)
  return playFinding(script, { maxSeconds })
}

onPosix.each([
  ['same.sh', 'as described', ''],
  ['other.sh', 'changed', '< two\n---\n> one\n'],
  // A finding can be about a program that fails.
  ['failing.sh', 'as described', ''],
  ['offline.sh', 'could not be played', ''],
])('of %s, it says: %s', (name, verdict, output) => {
  expect(playOwn(name)).toMatchObject({ verdict, output: expect.stringContaining(output) })
})

onPosix('versions are those of all packages', () => {
  expect(playOwn('offline.sh').versions).toBe('a 1, b 2, c 3')
})

onPosix('a script that does not end is ended', () => {
  expect(playOwn('endless.sh', 1)).toMatchObject({ verdict: 'could not be played' })
})

onPosix('what a script leaves in its temporary folder is removed', () => {
  const left = playOwn('leaving.sh').output.trim()
  expect(basename(left)).toMatch(/^finding-/)
  expect(existsSync(left)).toBe(false)
})

const fields = ['Guess:', 'Happens:', 'Versions:', 'Seen:', 'Who meets it:']

test.each(findingScripts.map((script) => [basename(script), script]))(
  '%s has the head of a finding, and nothing of the action',
  (_, script) => {
    const text = readFileSync(script, 'utf8')
    const [head = ''] = text.split('\n. "')
    expect(head.match(/(?<=^# )[A-Z][a-z ]+:/gm)?.filter((name) => fields.includes(name))).toEqual(
      fields,
    )
    expect(head).toMatch(/^#!\/usr\/bin\/env bash\n# [^\n]+: [^\n]+\n#\n# Guess:/)
    expect(head).toMatch(/^# Seen: +20\d\d-\d\d-\d\d$/m)
    expect(text).not.toMatch(/\b(src|dist|sandbox)\/[\w-]+\.[jt]s/)
    expect(text).toMatch(/^described <<'END'\n[\s\S]+\nEND\n$/m)
    if (process.platform !== 'win32') expect(statSync(script).mode & 0o111).toBe(0o111)
  },
)

test('every finding that a comment or a page names is there', () => {
  const files = globSync('{*.md,{docs,findings,scripts,src}/**/*.{md,ts}}', { cwd: root })
  const named = files.flatMap((path) => read(path).match(/(?<=findings\/)[\w-]+\.sh/g) ?? [])
  const there = [...findingScripts.map((script) => basename(script)), 'support.bash']
  expect(named).not.toEqual([])
  expect(named.filter((name) => !there.includes(name))).toEqual([])
})
