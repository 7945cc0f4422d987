import { expect, test } from '@jest/globals'
import type { SkipReason } from '../../../src/files/files.ts'
import { errorProblem } from '../../../src/problem.ts'
import { describeRun, renamedTo, titleIn } from '../../../src/report/report.ts'
import { quoted, text } from '../../../src/text/text.ts'
import { headline } from '../../fuzz/check.ts'
import { grid } from '../../support/grid.ts'
import {
  delivered,
  foundFile,
  foundFiles,
  message,
  runOf,
  runReport,
} from '../../support/report-runs.ts'

test('A headline says what became of the run, and a notice which files another would post twice', async () => {
  const runs = `
posted: posted / posted
posted: posted posted
accepted: accepted
partial
partial: accepted / not-sent
partial: posted not-sent / posted
partial: posted / posted
partial: unknown / posted not-sent
dry-run: not-sent
skipped
unknown: posted / unknown
failed
`
  const shown = await grid(runs, (run) => {
    const { headline: line, problems } = describeRun(runOf(run))
    expect(line).toMatch(headline)
    return [line, ...problems.map(({ title, text }) => `${title}: ${quoted(text)}`)].join('⏎')
  })
  expect(shown).toMatchInlineSnapshot(`
"posted: posted / posted
    Posted 2 files in 1 channel
posted: posted posted
    Posted 1 file in 2 channels
accepted: accepted
    The service accepted 1 file for 1 channel
partial
    Posted, but not everything arrived
partial: accepted / not-sent
    Posted, but not everything arrived⏎Some files are already posted: If you run the step again, it posts 1 of 2 files a second time. To send only the missing files: \`files: \${{ steps.<id>.outputs.not-sent }}\`.
partial: posted not-sent / posted
    Posted, but not everything arrived⏎Some files are already posted: If you run the step again, it posts 1 of 2 files a second time. To send only the missing files: \`files: \${{ steps.<id>.outputs.not-sent }}\`.
partial: posted / posted
    Posted, but not everything arrived
partial: unknown / posted not-sent
    Posted, but not everything arrived
dry-run: not-sent
    Dry run: 1 file would be posted to 1 channel
skipped
    Skipped: nothing was posted
unknown: posted / unknown
    It is unknown whether everything was posted
failed
    Nothing was posted"
`)
  const headlines = [
    delivered('posted', [message([], { C1: 'posted' })]),
    delivered('dry-run', []),
    runReport({ status: 'failed', dryRun: true }),
  ].map((run) => describeRun(run).headline)
  expect(headlines).toEqual([
    'Posted the comment in 1 channel',
    'Dry run: 0 files would be posted to 0 channels',
    'Dry run: posting would fail',
  ])
})

test('A report has the files of a run without a delivery, and each problem once', () => {
  const [one, two, three] = [errorProblem('1', []), errorProblem('2', []), errorProblem('3', [])]
  const found = { skipped: [], unmatched: [], problems: [two, three] }
  const files = foundFiles(1)
  const run = runReport({ status: 'failed', problems: [one, two], found: { ...found, files } })
  expect(describeRun(run)).toMatchObject({
    messages: [{ files: [{ file: files[0] }], postings: [] }],
    problems: [one, two, three],
  })
  expect(describeRun(delivered('failed', [], { problems: [one, one] })).problems).toEqual([one])
})

test('What may be missed is a warning for each reason, with ten of the files, unless no file is left', () => {
  const reasons =
    'hidden not-a-file link-upward credentials token-in-name link-outside link-broken empty pointer unreadable'
  const skipped = reasons.split(' ').flatMap((reason) =>
    Array.from({ length: reason === 'empty' ? 1_012 : 1 }, (_, index) => ({
      path: `${reason}-${index}`,
      reason: reason as SkipReason,
      why: text`is so`,
    })),
  )
  const problemsOf = (count: number) => {
    const found = { files: foundFiles(count), skipped, unmatched: [], problems: [] }
    return describeRun(runReport({ status: 'skipped', found })).problems
  }
  const lines = problemsOf(1).map(({ level, title, text }) => `${level}: ${title}: ${quoted(text)}`)
  expect(lines.join('\n')).toMatchInlineSnapshot(`
"warning: Credential files are skipped: \`credentials-0\` is so.
To send a credential file anyway, put it into an archive with another name, like \`files.zip\`: archives are not opened.
warning: Files with the token in their name are skipped: \`token-in-name-0\` is so.
Rename such a file, and replace the token: others may have seen the name.
warning: Symlinks that point outside are skipped: \`link-outside-0\` is so.
Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.
warning: Broken symlinks are skipped: \`link-broken-0\` is so.
Does an earlier step create what such a symlink points to?
warning: Empty files are skipped: \`empty-0\` is so; \`empty-1\` is so; \`empty-2\` is so; \`empty-3\` is so; \`empty-4\` is so; \`empty-5\` is so; \`empty-6\` is so; \`empty-7\` is so; \`empty-8\` is so; \`empty-9\` is so and 1,002 more.
The service does not accept empty files: check the step that writes them, unless it is a linter that found nothing.
warning: Pointers of Git LFS are skipped: \`pointer-0\` is so.
Set \`lfs: true\` for actions/checkout, or run \`git lfs pull\` before this step.
warning: Files that cannot be read are skipped: \`unreadable-0\` is so.
Close the program that uses such a file, or give the user that runs the step the right to read it."
`)
  expect(problemsOf(0)).toEqual([])
})

test('A channel is called as a check named it, and a file as in the channel if that differs', () => {
  const checks = ['C1', 'C2'].map((subject) => ({
    subject,
    result: 'ok' as const,
    name: `#${subject}`,
  }))
  const titleOf = (requested: string) =>
    titleIn(delivered('posted', [], { checks }), {
      channel: { id: 'C0', requested },
      state: 'posted',
    })
  expect(['C2', 'C3'].map(titleOf)).toEqual(['#C2', 'C3'])
  const renamed = ['b.csv', 'c.csv'].map((name) => renamedTo({ ...foundFile('x/a/b.csv'), name }))
  expect(renamed).toEqual(['', 'c.csv'])
})
