import { formatNumber, formatSize } from '../src/text/format.ts'

/** What is measured, and the figures to reach. */
export interface Workload {
  /** For `--only`. */
  readonly name: string
  readonly title: string
  readonly method: 'external' | 'files.upload'
  readonly files: { readonly count: number; readonly bytes: number }
  /** Default 1. */
  readonly channels?: number
  readonly tls?: true
  /** Milliseconds that the service takes for each response. */
  readonly delay?: number
  /** The action confirms, as by default, instead of `if-not-confirmed: ignore`; milliseconds until the message is visible. */
  readonly confirm?: { readonly sharesAfter: number }
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
  /** Requests in flight. */
  readonly atOnce?: number
  /** Requests in all. */
  readonly requests?: number
}

const kilobyte = 1_000
const megabyte = 1_000_000
const gibibyte = 1024 ** 3

const one = { count: 1, bytes: kilobyte }
const large = { count: 1, bytes: gibibyte }
const many = { count: 300, bytes: 10 * kilobyte }

export const workloads: readonly Workload[] = [
  {
    name: 'cold',
    title: 'cold start: 1 KB CSV, one channel',
    method: 'external',
    files: one,
    rounds: 31,
    goals: { wall: 2.6, cpu: 2.8, peak: 72 },
  },
  {
    name: 'cold-50ms',
    title: 'the same, 50 ms per call',
    method: 'external',
    files: one,
    delay: 50,
    rounds: 25,
    goals: { wall: 1.3, requests: 3 },
  },
  // Lookups come 0, 1, 2, 4, 7 s after the completion; upload URL, bytes, completion and permalink are four requests more.
  ...[0, 1_000, 5_000].map(
    (sharesAfter): Workload => ({
      name: `confirm-${sharesAfter / 1_000}s`,
      title: `the same, waiting for a message that becomes visible after ${sharesAfter / 1_000} s`,
      method: 'external',
      files: one,
      confirm: { sharesAfter },
      rounds: sharesAfter === 0 ? 15 : 1,
      goals: { requests: { 0: 5, 1000: 7, 5000: 9 }[sharesAfter] ?? 0 },
    }),
  ),
  {
    name: 'cold-files-upload-tls',
    title: 'cold start: 1 KB, `files.upload`, TLS',
    method: 'files.upload',
    files: one,
    tls: true,
    rounds: 31,
    goals: { wall: 2.3 },
  },
  {
    name: 'gib',
    title: '1 GiB',
    method: 'external',
    files: large,
    rounds: 5,
    goals: { wall: 1.2, peak: 95 },
  },
  {
    name: 'gib-tls',
    title: '1 GiB, TLS',
    method: 'external',
    files: large,
    tls: true,
    rounds: 5,
    goals: { wall: 1.2, cpu: 1.7, peak: 95 },
  },
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
    method: 'external',
    files: { count: 10, bytes: 100 * megabyte },
    rounds: 5,
    goals: { wall: 1.25, peak: 110 },
  },
  {
    name: 'many',
    title: '300 × 10 KB',
    method: 'external',
    files: many,
    atOnce: 64,
    rounds: 11,
    goals: { cpu: 2.15, peak: 100 },
  },
  {
    name: 'many-50ms',
    title: '300 × 10 KB, 50 ms per call',
    method: 'external',
    files: many,
    delay: 50,
    atOnce: 64,
    rounds: 7,
    goals: { wall: 1.1, atOnce: 64 },
  },
  {
    name: 'medium-50ms',
    title: '50 × 900 KB, 50 ms per call',
    method: 'external',
    files: { count: 50, bytes: 900 * kilobyte },
    delay: 50,
    atOnce: 64,
    rounds: 7,
    goals: { wall: 1.3 },
  },
  {
    name: 'thousand',
    title: '1,000 × 10 KB',
    method: 'external',
    files: { count: 1_000, bytes: 10 * kilobyte },
    atOnce: 64,
    rounds: 7,
    goals: { peak: 115 },
  },
  {
    name: 'five-channels',
    title: 'one 10 MB file to 5 channels',
    method: 'external',
    files: { count: 1, bytes: 10 * megabyte },
    channels: 5,
    rounds: 15,
    goals: { wall: 2.6 },
  },
]

/** From one file to a thousand, and from a kilobyte to a gibibyte. */
export const growth: readonly Workload[] = [
  ...[1, 3, 10, 30, 100, 300, 1_000].map(
    (count): Workload => ({
      name: `growth-files-${count}`,
      title: `${formatNumber(count)} × 10 KB`,
      method: 'external',
      files: { count, bytes: 10 * kilobyte },
      atOnce: 64,
      rounds: 5,
      goals: {},
    }),
  ),
  ...[kilobyte, 10 * kilobyte, 100 * kilobyte, megabyte, 10 * megabyte, 100 * megabyte, gibibyte].map(
    (bytes): Workload => ({
      name: `growth-bytes-${bytes}`,
      title: `1 × ${formatSize(bytes)}`,
      method: 'external',
      files: { count: 1, bytes },
      rounds: 5,
      goals: {},
    }),
  ),
]
