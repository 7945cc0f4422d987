import path from 'node:path'
import { ProblemError } from '../problem.ts'
import { code, showValue, text } from '../text/text.ts'
import { follow, pathOnDisk } from './disk.ts'

/**
 * The folder from which relative patterns start: absolute, as the disk spells it.
 *
 * @param typed relative to the workspace, as the user wrote it; empty for the workspace itself
 * @throws ProblemError if it is no folder that can be read
 */
export async function findWorkingDirectory(workspace: string, typed: string): Promise<string> {
  const folder = await pathOnDisk(path.resolve(workspace, typed))
  const target = await follow(folder)
  if (target.kind === 'folder') return folder
  const isMissing = target.kind === 'absent'
  const notFound = isMissing ? text`does not exist` : text`is not a folder`
  const why = 'why' in target ? target.why : notFound
  const [what, remedy] =
    typed === ''
      ? [text`is empty, and the workspace ${workspace}`, []]
      : [text`is ${showValue(typed)}, which`, text` Write a folder of the workspace, such as ${code('packages/app')}.`]
  const question = isMissing ? text` Is there a checkout, or a step that creates it, before this step?` : []
  throw new ProblemError({
    title: 'Invalid input: working-directory',
    text: text`${code('working-directory')} ${what} ${why}.${remedy}${question}`,
    page: 'inputs',
  })
}
