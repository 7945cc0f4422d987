import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, parse, resolve, sep } from 'node:path'
import { errorCode } from '../files/disk.ts'
import { code, type Text, text, words } from '../text/text.ts'
import { type Rule, showValue } from './rules.ts'

export function workingDirectoryRule(workspace: string): Rule {
  return (value) => {
    const problem = folderProblem(findFolder(workspace, value))
    if (problem === undefined) return undefined
    if (value === '') {
      return text`is empty, and the workspace ${workspace} ${problem}. Is there a checkout, or a step that creates the files, before this step?`
    }
    const [folder, question] =
      problem === missing ? ['a folder that exists', ' Is there a checkout before this step?'] : ['another folder', '']
    return text`is ${showValue(value)}, which ${problem}. Write ${words(folder)}, relative to the workspace, such as ${code('packages/app')}.${words(question)}`
  }
}

/**
 * The absolute path of a folder, as the disk spells it: what tools on macOS write can be decomposed (NFD), and people type the
 * composed form.
 */
export function findFolder(workspace: string, value: string): string {
  const exact = resolve(workspace, value)
  if (existsSync(exact)) return exact
  const { root } = parse(exact)
  let found = root
  for (const name of exact.slice(root.length).split(sep)) {
    const isThere = existsSync(join(found, name))
    const spelled = isThere ? name : namesIn(found).find((other) => other.normalize() === name.normalize())
    if (spelled === undefined) return exact
    found = join(found, spelled)
  }
  return found
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const missing = text`does not exist`

/** Why the path is not a folder that the step can use, if it is not. The text follows the path. */
function folderProblem(path: string): Text | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats?.isDirectory()) return undefined
    return stats ? text`is not a folder` : missing
  } catch (error) {
    const found = String(errorCode(error) ?? error)
    return statProblems[found] ?? text`cannot be read (${found})`
  }
}

const statProblems: Readonly<Record<string, Text>> = {
  EACCES: text`is in a folder that the user of this step may not open`,
  ELOOP: text`is a link that leads to itself`,
  ENAMETOOLONG: text`is too long for a path`,
}
