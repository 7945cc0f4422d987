import { EOL } from 'node:os'
import { jest } from '@jest/globals'

/** What a function writes to standard output, with `\n` at the end of each line. */
export function stdoutOf(write: () => void): string {
  using spy = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  write()
  const written = spy.mock.calls.map(([text]) => String(text)).join('')
  return written.replaceAll(EOL, '\n')
}

/**
 * The lines that the runner would take for a workflow command: after white space a line begins with
 * `::name::`, or it holds `##[name]` anywhere. Characters without width count as not there, as they
 * do for .NET's cultural comparisons.
 */
export function commandsIn(output: string): readonly string[] {
  return output
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/[\p{Cf}\p{Mn}\p{Me}\p{Cc}]/gu, ''))
    .filter((line) => line.trimStart().startsWith('::') || line.includes('##['))
}
