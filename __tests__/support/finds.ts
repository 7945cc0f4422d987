import path from 'node:path'
import { ProblemError, titleOf } from '../../src/problem.ts'
import { quoted } from '../../src/text/text.ts'
import { grid } from './grid.ts'
import { tree } from './tree.ts'

/**
 * Trees, each above lines that are searched for in it, and below each line what it finds: paths,
 * where they lead if they are links, what is skipped and why, or the error. Options are JSON after
 * ` | `, `TREE` is the folder of the tree, and `# ` begins a comment.
 */
export async function finds(trees: string): Promise<string> {
  const shown = trees
    .trim()
    .split('\n\n')
    .map(async (paragraph) => {
      const [entries = '', ...lines] = paragraph.split('\n')
      await using folder = await tree(entries)
      const result = (line: string) => (line.startsWith('# ') ? line : outcome(folder, line))
      return `${entries}\n${await grid(lines.join('\n'), result)}`
    })
  return (await Promise.all(shown)).join('\n\n')
}

/** What a line with options finds. */
export async function outcome(
  { find, root, shownRoot }: Awaited<ReturnType<typeof tree>>,
  row: string,
): Promise<string> {
  const [lines = '', json = '{}'] = row.replaceAll('TREE', shownRoot).split(' | ')
  const options = JSON.parse(json)
  const workspace = path.join(root, options.workspace ?? '')
  const found = await find(lines, { ...options, workspace }).catch((error: unknown) => {
    if (error instanceof ProblemError) return error
    throw error
  })
  if (found instanceof ProblemError) {
    const titles = found.problems.map((problem) => quoted(titleOf(problem)))
    return `${titles.join()}: ${found.message}`.replaceAll(shownRoot, 'TREE')
  }
  const sent = found.files.map((file) =>
    path.resolve(workspace, file.path) === file.real
      ? file.path
      : `${file.path} -> ${path.relative(root, file.real).replaceAll(path.sep, '/')}`,
  )
  const skipped = found.skipped.map((one) => `${one.path} ${quoted(one.why)} (${one.reason})`)
  return [...sent, ...skipped].join(' | ').replaceAll(shownRoot, 'TREE') || 'nothing'
}
