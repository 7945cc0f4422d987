/** With the goals. */
export interface Workload {
  /** For `--only`. */
  readonly name: string
  readonly title: string
  readonly method: 'external' | 'files.upload'
  readonly files: {
    readonly count: number
    readonly bytes: number
    /** Beside them, each with 40 empty files that are not sent. */
    readonly folders?: number
  }
  /** Of `files`, beside the line that finds them. */
  readonly otherLine?: string
  /** Milliseconds before each response. */
  readonly delay?: number
  /** Milliseconds until a message is visible. Without it, `if-not-confirmed: ignore`. */
  readonly visibleAfter?: number
  /** Of the line that all uploads share. */
  readonly bitsPerSecond?: number
  /** Connections of the floor; default 1. */
  readonly atOnce?: number
  readonly rounds: number
  readonly goals: Goals
}

export interface Goals {
  /** Ratios to the floor. */
  readonly wall?: number
  readonly cpu?: number
  /** Megabytes (1,000,000 bytes). */
  readonly peak?: number
}

const kilobyte = 1_000
const megabyte = 1_000_000

const one = { count: 1, bytes: kilobyte }
const large = { count: 1, bytes: 1024 ** 3 }
const many = { count: 300, bytes: 10 * kilobyte }

type Row = Pick<Workload, 'name' | 'title' | 'files' | 'rounds' | 'goals'> & Partial<Workload>

const rows: readonly Row[] = [
  {
    name: 'cold',
    title: 'cold start: 1 KB CSV',
    files: one,
    rounds: 31,
    goals: { wall: 2.6, cpu: 2.8, peak: 72 },
  },
  {
    name: 'cold-50ms',
    title: 'the same, 50 ms per call',
    files: one,
    delay: 50,
    rounds: 25,
    goals: { wall: 1.3 },
  },
  {
    name: 'cold-files-upload',
    title: 'cold start: 1 KB, `files.upload`',
    method: 'files.upload',
    files: one,
    rounds: 31,
    goals: { wall: 2.3 },
  },
  { name: 'gib', title: '1 GiB', files: large, rounds: 5, goals: { wall: 1.2, peak: 95 } },
  {
    name: 'gib-files-upload',
    title: '1 GiB, `files.upload`',
    method: 'files.upload',
    files: large,
    rounds: 5,
    goals: { wall: 1.4, peak: 95 },
  },
  {
    name: 'ten',
    title: '10 × 100 MB',
    files: { count: 10, bytes: 100 * megabyte },
    rounds: 5,
    goals: { wall: 1.25, peak: 110 },
  },
  {
    name: 'many',
    title: '300 × 10 KB',
    files: many,
    atOnce: 6,
    rounds: 11,
    goals: { cpu: 2.15, peak: 100 },
  },
  {
    name: 'many-50ms',
    title: '300 × 10 KB, 50 ms per call',
    files: many,
    delay: 50,
    atOnce: 6,
    rounds: 5,
    goals: { wall: 1.1 },
  },
  {
    name: 'hundred-50ms',
    title: '100 × 10 KB, 50 ms per call',
    files: { count: 100, bytes: 10 * kilobyte },
    delay: 50,
    atOnce: 6,
    rounds: 7,
    goals: { wall: 1.2 },
  },
  {
    name: 'medium-50ms',
    title: '50 × 900 KB, 50 ms per call',
    files: { count: 50, bytes: 900 * kilobyte },
    delay: 50,
    atOnce: 6,
    rounds: 7,
    goals: { wall: 1.3 },
  },
  {
    name: 'screenshots-300ms',
    title: '30 × 1.2 MB, 300 ms per call',
    files: { count: 30, bytes: 1.2 * megabyte },
    delay: 300,
    atOnce: 6,
    rounds: 3,
    goals: { wall: 1.3 },
  },
  {
    name: 'two-mb-300ms',
    title: '12 × 2.1 MB, 300 ms per call',
    files: { count: 12, bytes: 2.1 * megabyte },
    delay: 300,
    atOnce: 6,
    rounds: 3,
    // Five fit into 12 MB, so they go in three turns, and those of the floor in two.
    goals: { wall: 1.45 },
  },
  {
    name: 'one-visible',
    title: '1 KB, visible after 1.5 s',
    files: one,
    visibleAfter: 1_500,
    rounds: 5,
    goals: { wall: 1.2 },
  },
  {
    name: 'fifty-visible',
    title: '50 × 10 KB, visible after 1.5 s',
    files: { count: 50, bytes: 10 * kilobyte },
    visibleAfter: 1_500,
    atOnce: 6,
    rounds: 3,
    goals: { wall: 1.15 },
  },
  {
    name: 'many-visible',
    title: '300 × 10 KB, visible after 1.5 s',
    files: many,
    visibleAfter: 1_500,
    atOnce: 6,
    rounds: 1,
    goals: { wall: 1.15 },
  },
  {
    name: 'search',
    title: '1 KB among 100,000 files in 2,500 folders',
    files: { ...one, folders: 2_500 },
    rounds: 7,
    goals: { wall: 3, peak: 95 },
  },
  {
    name: 'search-none',
    title: 'the same, and a line that finds nothing',
    files: { ...one, folders: 2_500 },
    otherLine: 'none/*.csv',
    rounds: 7,
    goals: { wall: 3, peak: 95 },
  },
  {
    name: 'thousand',
    title: '1,000 × 10 KB',
    files: { count: 1_000, bytes: 10 * kilobyte },
    atOnce: 6,
    rounds: 7,
    goals: { peak: 115 },
  },
  {
    name: 'slow-line',
    title: '10 × 900 KB over 20 Mbit/s',
    files: { count: 10, bytes: 900 * kilobyte },
    bitsPerSecond: 20_000_000,
    atOnce: 6,
    rounds: 3,
    goals: { wall: 1.1 },
  },
]

export const workloads: readonly Workload[] = rows.map((row) => ({ method: 'external', ...row }))
