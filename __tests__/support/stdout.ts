import { EOL } from 'node:os'
import { jest } from '@jest/globals'

/** The output of a function, with `\n` after each line. */
export function stdoutOf(write: () => void): string {
  using spy = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  write()
  const written = spy.mock.calls.map(([text]) => String(text)).join('')
  return written.replaceAll(EOL, '\n')
}

/**
 * Lines that the runner takes for commands: `::name::` after white space, or `##[name]` anywhere.
 * As in .NET's cultural comparisons, characters without width do not count.
 */
export function commandsIn(output: string): readonly string[] {
  return output
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/[\p{Cf}\p{Mn}\p{Me}\p{Cc}]/gu, ''))
    .filter((line) => line.trimStart().startsWith('::') || line.includes('##['))
}
