// The log and the annotations as people see them, and pieces of a secret in them.
import type { ActionResult } from '../../sandbox/runner.ts'

/** The log as the runner shows it, without what differs from run to run. Annotations are `Error: title`, then their lines. */
export function seen({ stdout, stderr }: Pick<ActionResult, 'stdout' | 'stderr'>): string {
  return `${shown(stdout)}${stderr}`
    .replace(/^(::add-mask::|::debug::).*\n/gm, '')
    .replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT')
    .replace(/\b[RF]0[0-9A-Z]{9}\b/g, (id) => `${id[0]}…`)
    .replace(/\bp?\d{10}\.?\d{6}\b/g, 'ts')
    .replace(/^(Took|[\d.]+ [KM]?B in) .*\n/gm, '')
    .trimEnd()
}

/** Of that, the annotations. */
export function annotations(result: Pick<ActionResult, 'stdout' | 'stderr'>): string {
  const [, ...found] = `\n${seen(result)}`.split(/\n(?=(?:Error|Warning|Notice): )/)
  return found.join('\n')
}

function shown(stdout: string): string {
  return stdout.replace(/^::(error|warning|notice) title=(.*?)::(.*)$/gm, (_, kind, title, text) => {
    const lines = [`${kind[0].toUpperCase()}${kind.slice(1)}: ${title}`, ...text.split('%0A')]
    return lines.join('\n  ').replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%')
  })
}

/** Pieces of a secret, 8 characters each, that are anywhere but in the lines that mask it. */
export function leaked(
  { stdout, stderr, outputs, summary }: Pick<ActionResult, 'stdout' | 'stderr' | 'outputs' | 'summary'>,
  secret: string,
): readonly string[] {
  const everything = [stdout.replace(/^::add-mask::.*$/gm, ''), stderr, JSON.stringify(outputs), summary].join('\n')
  const pieces = Array.from({ length: secret.length - 7 }, (_, at) => secret.slice(at, at + 8))
  return pieces.filter((piece) => everything.includes(piece))
}
