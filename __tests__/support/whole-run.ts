import type { Done } from './step.ts'

/** All that people see of a step: log, job summary and outputs, without what differs from run to run. */
export function wholeRun({ code, outputs, stdout, summary }: Done): string {
  const values = Object.entries(outputs).map(([name, value]) => `${name}: ${value.replaceAll('},{', '},\n  {')}`)
  return withoutVolatile(
    [
      `exit code ${code}`,
      '--- log',
      // The runner does not show them.
      ...stdout.split(/\r?\n/).filter((line) => !line.startsWith('::add-mask::')),
      '--- summary',
      summary,
      '--- outputs',
      ...values,
    ].join('\n'),
  )
}

/** What differs from run to run becomes the same: places, identifiers, times. */
export function withoutVolatile(text: string): string {
  const numbers = new Map<string, number>()
  /** The same number for the same value, in the order in which they appear. */
  const numbered = (prefix: string, value: string) => {
    const key = prefix + value
    const known = numbers.get(key) ?? [...numbers.keys()].filter((one) => one.startsWith(prefix)).length + 1
    numbers.set(key, known)
    return known
  }
  return (
    text
      .replace(/127\.0\.0\.1:\d+/g, 'service.example')
      .replace(/\b(p?)(\d{10})(\.?)(\d{6})\b/g, (_, p, seconds, point, micros) => {
        const count = String(numbered('ts', seconds + micros)).padStart(6, '0')
        return `${p}1700000000${point}${count}`
      })
      .replace(/\b([FR])0{4}[\dA-Z]{6}\b/g, (id, kind) => `${kind}${numbered(kind, id)}`)
      // Only a run that takes longer than a second says how long.
      .replace(/^Took .*\n/gm, '')
      .replace(/<p>[^<]* s(?: · |<\/p>\n\n?)/g, (duration) => (duration.includes('·') ? '<p>' : ''))
      .replace(/\b(\d+ min )?\d+(\.\d+)? s\b|\b\d+ min\b/g, '# s')
      .replace(/\b\d+(\.\d+)? ms\b/g, '# ms')
      .replace(/\b\d+(\.\d+)? [KMG]?B\/s/g, '# B/s')
  )
}
