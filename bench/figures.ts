/** The figures of a workload as text. */
import { formatSize } from '../src/text/format.ts'
import type { Measured, Usage } from './measure.ts'
import type { Goals, Workload } from './workloads.ts'

export type Subjects = Readonly<Record<string, Measured>>

export function goalsOf({ goals }: Workload): string {
  return names
    .flatMap((name) =>
      goals[name] === undefined ? [] : `${labels[name]} ≤ ${inUnits(name, goals[name])}`,
    )
    .join(', ')
}

/** The figures that have a goal. One that misses it stands out. */
export function reachedOf({ goals }: Workload, subjects: Subjects): string {
  const { action, floor } = subjects
  if (!action || !floor) throw new Error('the floor and the action do every workload')
  const figures: Required<Goals> = {
    wall: ratio('wallMilliseconds', action, floor),
    cpu: ratio('cpuMilliseconds', action, floor),
    peak: action.usage.peakBytes / 1e6,
  }
  return names
    .flatMap((name) => {
      const goal = goals[name]
      if (goal === undefined) return []
      const text = `${labels[name]} ${inUnits(name, figures[name])}`
      return figures[name] <= goal ? text : `**${text}**`
    })
    .join(', ')
}

/** Time to the median of the floor, the wall time with its quartiles, and memory. */
export function ratiosOf(name: string, subjects: Subjects): string {
  const { [name]: measured, floor } = subjects
  if (!measured || !floor) return 'cannot'
  const wall = inUnits('wall', ratio('wallMilliseconds', measured, floor))
  const quartiles = measured.wallQuartiles
    .map((time) => (time / floor.usage.wallMilliseconds).toFixed(2))
    .join('–')
  const cpu = inUnits('cpu', ratio('cpuMilliseconds', measured, floor))
  return `${wall} (${quartiles}), CPU ${cpu}, ${formatSize(measured.usage.peakBytes)}`
}

export function usageOf(name: string, subjects: Subjects): string {
  const measured = subjects[name]
  if (!measured) return ''
  const { cpuMilliseconds, peakBytes, wallMilliseconds } = measured.usage
  return `${wallMilliseconds.toFixed(0)} ms, CPU ${cpuMilliseconds.toFixed(0)} ms, ${formatSize(peakBytes)}`
}

const labels = { wall: 'wall', cpu: 'CPU', peak: 'peak' } as const
const names = ['wall', 'cpu', 'peak'] as const

function inUnits(name: keyof Goals, figure: number): string {
  return name === 'peak' ? `${figure.toFixed(0)} MB` : `${figure.toFixed(2)} ×`
}

function ratio(figure: keyof Usage, { usage }: Measured, floor: Measured): number {
  return usage[figure] / floor.usage[figure]
}
