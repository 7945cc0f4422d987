/** Figures of a work against its goals, in words. */
import { formatNumber } from '../src/message/size.ts'
import type { Measured, Usage } from './measure.ts'
import type { Goals, Work } from './works.ts'

export type Subjects = Readonly<Record<string, Measured>>

export function goalsOf({ goals }: Work): string {
  return texts(goals, (label, text) => `${label} ≤ ${text}`)
}

/** What the action reached where there is a goal, and all its ratios to the floor, each followed by those of the peers. */
export function figuresOf({ goals }: Work, subjects: Subjects): Record<'reached' | 'wall' | 'cpu' | 'peak', string> {
  const { 'node -e 0': _, action, floor, ...peers } = subjects
  if (!action || !floor) throw new Error('a work is always done by the floor and the action')
  const figures: Required<Goals> = {
    wall: ratio('wallMilliseconds', action, floor),
    cpu: ratio('cpuMilliseconds', action, floor),
    peak: action.usage.peakBytes / 1e6,
    atOnce: action.counts.mostAtOnce,
    requests: Object.values(action.counts.requests).reduce((sum, count) => sum + count, 0),
  }
  const beside = (figure: keyof Usage) => {
    const others = Object.entries(peers).map(([name, peer]) => `${name} ${ratio(figure, peer, floor).toFixed(2)}`)
    const own = ratio(figure, action, floor).toFixed(2)
    return others.length === 0 ? own : `${own} (${others.join(', ')})`
  }
  return {
    // A figure that misses its goal stands out.
    reached: texts(figures, (label, text, name) => {
      const goal = goals[name] ?? 0
      return goal === 0 ? [] : figures[name] <= goal ? `${label} ${text}` : `**${label} ${text}**`
    }),
    wall: beside('wallMilliseconds'),
    cpu: beside('cpuMilliseconds'),
    peak: beside('peakBytes'),
  }
}

const labels = { wall: 'wall', cpu: 'CPU', peak: 'peak', atOnce: 'at once', requests: 'requests' } as const
const names = ['wall', 'cpu', 'peak', 'atOnce', 'requests'] as const

function texts(
  figures: Goals,
  tell: (label: string, text: string, name: keyof Goals) => string | readonly string[],
): string {
  return names
    .flatMap((name) => {
      const figure = figures[name]
      return figure === undefined ? [] : tell(labels[name], inUnits(name, figure), name)
    })
    .join(', ')
}

function inUnits(name: keyof Goals, figure: number): string {
  if (name === 'wall' || name === 'cpu') return `${figure.toFixed(2)} ×`
  return name === 'peak' ? `${figure.toFixed(0)} MB` : formatNumber(figure)
}

function ratio(figure: keyof Usage, { usage }: Measured, floor: Measured): number {
  return usage[figure] / floor.usage[figure]
}
