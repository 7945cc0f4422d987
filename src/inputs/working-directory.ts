import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorCode } from '../files/disk.ts'
import { code, type Text, text } from '../text/text.ts'
import { InvalidInputError, readText, showValue } from './read.ts'

/**
 * The folder that relative patterns start from.
 *
 * @returns an absolute path
 * @throws InvalidInputError
 */
export function readWorkingDirectory(workspace: string): string {
  const input = readText('working-directory')
  const folder = resolve(workspace, input)
  const problem = problemWith(folder)
  if (problem === undefined) return folder
  throw new InvalidInputError(
    input === ''
      ? text`The workspace ${folder} ${problem}. Is there a checkout, or a step that creates the files, before this step?`
      : text`${code('working-directory')} is ${showValue(input)}, which ${problem}. Write a folder that exists, relative to the workspace, such as ${code('packages/app')}. Is there a checkout before this step?`,
  )
}

/** Why the path is not a folder that the step can use, if it is not. */
function problemWith(path: string): Text | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return text`does not exist`
    return stats.isDirectory() ? undefined : text`is not a folder`
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
