// Log and annotations as people see them, and pieces of a secret in them.
import type { ActionResult } from '../../sandbox/runner.ts'

/**
 * The log as the runner shows it, without volatile values. Annotations are `Error: title` and their
 * lines.
 */
export function seen({ stdout, stderr }: Pick<ActionResult, 'stdout' | 'stderr'>): string {
  return `${shown(stdout)}${stderr}`
    .replace(/^(::add-mask::|::debug::).*\n/gm, '')
    .replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT')
    .replace(/\b[RF]0[0-9A-Z]{9}\b/g, (id) => `${id[0]}…`)
    .replace(/\bp?\d{10}\.?\d{6}\b/g, 'ts')
    .replace(/^Sent .*\n?/gm, '')
    .trimEnd()
}

/** Only the annotations. */
export function annotations(result: Pick<ActionResult, 'stdout' | 'stderr'>): string {
  const [, ...found] = `\n${seen(result)}`.split(/\n(?=(?:Error|Warning|Notice): )/)
  return found.join('\n')
}

function shown(stdout: string): string {
  return stdout.replace(
    /^::(error|warning|notice) title=(.*?)::(.*)$/gm,
    (_, kind, title, text) => {
      const lines = [`${kind[0].toUpperCase()}${kind.slice(1)}: ${title}`, ...text.split('%0A')]
      return lines.join('\n  ').replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%')
    },
  )
}

/** Pieces of a secret, 8 characters each, outside of the lines that mask it. */
export function leaked(
  { stdout, stderr, outputs, summary }: ActionResult,
  secret: string,
): readonly string[] {
  const everything = [
    stdout.replace(/^::add-mask::.*$/gm, ''),
    stderr,
    JSON.stringify(outputs),
    summary,
  ].join('\n')
  const pieces = Array.from({ length: secret.length - 7 }, (_, at) => secret.slice(at, at + 8))
  // Hosts in URLs have lower case.
  return pieces.filter((piece) => everything.toLowerCase().includes(piece.toLowerCase()))
}

/** All that people see of a step, without volatile values. */
export function wholeRun({ code, outputs, stdout, summary }: ActionResult): string {
  const values = Object.entries(outputs).map(
    ([name, value]) => `${name}: ${value.replaceAll('},{', '},\n  {')}`,
  )
  return withoutVolatile(
    [
      `exit code ${code}`,
      '--- log',
      // The runner hides them.
      ...stdout.split(/\r?\n/).filter((line) => !line.startsWith('::add-mask::')),
      '--- summary',
      summary,
      '--- outputs',
      ...values,
    ].join('\n'),
  )
}

/** Replaces places, identifiers and times. */
export function withoutVolatile(text: string): string {
  const known: Record<string, string[]> = {}
  /** Numbers values of a kind in order of appearance. */
  const numbered = (kind: string, value: string) => {
    const values = known[kind] ?? []
    known[kind] = values
    if (!values.includes(value)) values.push(value)
    return values.indexOf(value) + 1
  }
  return text
    .replace(/127\.0\.0\.1:\d+/g, 'service.example')
    .replace(/\b(p?)(\d{10})(\.?)(\d{6})\b/g, (_, p, seconds, point, micros) => {
      const count = String(numbered('ts', seconds + micros)).padStart(6, '0')
      return `${p}1700000000${point}${count}`
    })
    .replace(/\b([FR])0{4}[\dA-Z]{6}\b/g, (id, kind) => `${kind}${numbered(kind, id)}`)
    .replace(/\b\d+(\.\d+)? s\b/g, '# s')
    .replace(/\b\d+(\.\d+)? ms\b/g, '# ms')
    .replace(/\b\d+(\.\d+)? [KMG]?B\/s/g, '# B/s')
}
