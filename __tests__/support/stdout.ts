import { EOL } from 'node:os'

/** What a function writes to standard output, with `\n` at the end of each line. */
export function stdoutOf(write: () => void): string {
  let written = ''
  const { write: original } = process.stdout
  process.stdout.write = (text: string | Uint8Array) => {
    written += String(text)
    return true
  }
  try {
    write()
  } finally {
    process.stdout.write = original
  }
  return written.replaceAll(EOL, '\n')
}

/**
 * The lines that the runner would take for a workflow command: after white space a line begins with `::name::`, or it
 * holds `##[name]` anywhere. Characters without width count as not there, as they do for .NET's cultural comparisons.
 */
export function commandsIn(output: string): readonly string[] {
  return output
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/[\p{Cf}\p{Mn}\p{Me}\p{Cc}]/gu, ''))
    .filter((line) => line.trimStart().startsWith('::') || line.includes('##['))
}
