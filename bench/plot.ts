/** How wall time, CPU time and memory grow with the number and the size of the files, as an SVG. */
import { formatNumber, formatSize } from '../src/text/format.ts'
import type { Subjects } from './figures.ts'
import type { Usage } from './measure.ts'
import type { Workload } from './workloads.ts'

export interface Point {
  readonly workload: Workload
  readonly subjects: Subjects
}

/** From `low` to `high` along `length` pixels. */
interface Axis {
  readonly low: number
  readonly high: number
  readonly logarithmic: boolean
  readonly label: (value: number) => string
}

interface Panel {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly lines: readonly {
    readonly subject: Subject
    readonly points: readonly (readonly [x: number, y: number])[]
  }[]
}

const subjects = ['floor', 'action'] as const
type Subject = (typeof subjects)[number]

const colors: Readonly<Record<Subject, string>> = { floor: '#8c959f', action: '#0969da' }
const width = 380
const height = 190
const margin = { left: 70, right: 20, top: 36, bottom: 34 }

export function plotGrowth(all: readonly Point[]): string {
  const columns = [
    {
      title: 'files of 10 KB',
      points: all.filter(({ workload }) => workload.name.startsWith('growth-files')),
      value: ({ files }: Workload) => files.count,
      label: formatNumber,
    },
    {
      title: 'size of one file',
      points: all.filter(({ workload }) => workload.name.startsWith('growth-bytes')),
      value: ({ files }: Workload) => files.bytes,
      label: formatSize,
    },
  ]
  const rows = [
    { title: 'wall', figure: 'wallMilliseconds', logarithmic: true, label: milliseconds },
    { title: 'CPU', figure: 'cpuMilliseconds', logarithmic: true, label: milliseconds },
    { title: 'peak memory', figure: 'peakBytes', logarithmic: false, label: formatSize },
  ] as const
  const panels = rows.flatMap((row, down) =>
    columns.map((column, across) => {
      const lines = subjects.map((subject) => ({
        subject,
        points: column.points.map(
          (point) => [column.value(point.workload), figureOf(point, subject, row.figure)] as const,
        ),
      }))
      const panel: Panel = {
        title: `${row.title} by ${column.title}`,
        x: axis(
          lines.flatMap(({ points }) => points.map(([x]) => x)),
          true,
          column.label,
        ),
        y: axis(
          lines.flatMap(({ points }) => points.map(([, y]) => y)),
          row.logarithmic,
          row.label,
        ),
        lines,
      }
      return `<g transform="translate(${across * width} ${down * height})">\n${draw(panel)}\n</g>`
    }),
  )
  const size = { width: columns.length * width, height: rows.length * height + 24 }
  const legend = subjects.map((subject, index) => {
    const x = margin.left + index * 90
    return `<path d="M${x} ${size.height - 16}h24" stroke="${colors[subject]}" stroke-width="2"/>${text(x + 30, size.height - 12, 'start', subject)}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="system-ui, sans-serif" font-size="11" fill="none">
<title>Wall time, CPU time and peak memory by number and by size of files, the action and the floor</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${[...panels, ...legend].join('\n')}
</svg>
`
}

function draw({ lines, title, x, y }: Panel): string {
  const right = width - margin.right
  const bottom = height - margin.bottom
  const atX = (value: number) => position(x, value, margin.left, right)
  const atY = (value: number) => position(y, value, bottom, margin.top)
  return [
    text(margin.left, 22, 'start', title, 'font-weight="600"'),
    ...ticks(y).map(
      (tick) =>
        `<path d="M${margin.left} ${atY(tick)}H${right}" stroke="#d0d7de"/>${text(margin.left - 6, atY(tick) + 4, 'end', y.label(tick))}`,
    ),
    ...ticks(x).map((tick) => text(atX(tick), bottom + 16, 'middle', x.label(tick))),
    ...lines.map(({ points, subject }) => {
      const path = points.map(([px, py]) => `${atX(px)} ${atY(py)}`).join('L')
      const dots = points.map(
        ([px, py]) => `<circle cx="${atX(px)}" cy="${atY(py)}" r="2.5" fill="${colors[subject]}"/>`,
      )
      return `<path d="M${path}" stroke="${colors[subject]}" stroke-width="2"/>${dots.join('')}`
    }),
  ].join('\n')
}

function figureOf({ subjects: measured, workload }: Point, subject: Subject, figure: keyof Usage): number {
  const usage = measured[subject]?.usage
  if (!usage) throw new Error(`${workload.title} was not measured`)
  return usage[figure]
}

function axis(values: readonly number[], logarithmic: boolean, label: Axis['label']): Axis {
  const high = Math.max(...values)
  if (!logarithmic) return { low: 0, high: Math.ceil(high / 2e7) * 2e7, logarithmic, label }
  const power = (round: (value: number) => number, value: number) => 10 ** round(Math.log10(value))
  return { low: power(Math.floor, Math.min(...values)), high: power(Math.ceil, high * 0.9), logarithmic, label }
}

function ticks({ high, logarithmic, low }: Axis): readonly number[] {
  if (!logarithmic) return [0, 0.25, 0.5, 0.75, 1].map((part) => low + part * (high - low))
  const powers = Math.round(Math.log10(high / low))
  return Array.from({ length: powers + 1 }, (_, power) => low * 10 ** power).filter(
    (_, at) => powers < 6 || at % 2 === 0,
  )
}

function position({ high, logarithmic, low }: Axis, value: number, from: number, to: number): number {
  const part = logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low)
  return Math.round((from + part * (to - from)) * 10) / 10
}

function text(x: number, y: number, anchor: 'start' | 'middle' | 'end', content: string, more = ''): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="#1f2328" ${more}>${content}</text>`
}

function milliseconds(value: number): string {
  return value < 1_000 ? `${value} ms` : `${value / 1_000} s`
}
