import path from 'node:path'
import type { FoundFiles } from '../../src/files/files.ts'
import { ProblemError } from '../../src/problem.ts'
import { quoted } from '../../src/text/text.ts'
import { grid } from './grid.ts'
import { tree } from './tree.ts'

type Show = (found: FoundFiles, root: string, workspace: string) => string

/**
 * Trees (or `nothing`), each above lines that are searched for in it, and below each line what it
 * finds: paths, where they lead if they are links, what is skipped and why, problems, or the error.
 * Options are JSON after ` | `, `TREE` is the folder of the tree, and `# ` begins a comment.
 */
export async function finds(trees: string, show?: Show): Promise<string> {
  const shown = trees
    .trim()
    .split('\n\n')
    .map(async (paragraph) => {
      const [entries = '', ...lines] = paragraph.split('\n')
      await using folder = await tree(entries === 'nothing' ? {} : entries)
      const result = (line: string) => (line.startsWith('# ') ? line : outcome(folder, line, show))
      return `${entries}\n${await grid(lines.join('\n'), result)}`
    })
  return (await Promise.all(shown)).join('\n\n')
}

/** What a line with options finds. */
export async function outcome(
  { find, root, shownRoot }: Awaited<ReturnType<typeof tree>>,
  row: string,
  show: Show = showAll,
): Promise<string> {
  const [lines = '', json = '{}'] = row.replaceAll('TREE', shownRoot).split(' | ')
  const options = JSON.parse(json)
  const workspace = path.join(root, options.workspace ?? '')
  const shown = await find(lines, { ...options, workspace }).then(
    (found) => show(found, root, workspace),
    (error: unknown) => {
      if (!(error instanceof ProblemError)) throw error
      const titles = error.problems.map((problem) => problem.title)
      return `${titles.join()}: ${error.message}`
    },
  )
  return shown.replaceAll(shownRoot, 'TREE') || 'nothing'
}

function showAll(found: FoundFiles, root: string, workspace: string): string {
  const sent = found.files.map((file) =>
    path.resolve(workspace, file.path) === file.real
      ? file.path
      : `${file.path} -> ${path.relative(root, file.real).replaceAll(path.sep, '/')}`,
  )
  const skipped = found.skipped.map((one) => `${one.path} ${quoted(one.why)} (${one.reason})`)
  const problems = found.problems.map(({ level, text }) => `${level}: ${quoted(text)}`)
  const remarks = (found.remarks ?? []).map((remark) => `log: ${quoted(remark)}`)
  return [...sent, ...skipped, ...problems, ...remarks].join(' | ')
}
