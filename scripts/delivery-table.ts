/**
 * What follows from a response and from what lookups showed: `npm run docs` writes these rows into `docs/delivery.md`, and a
 * test compares them with `src/service/conclude.ts` for every combination. The first row that covers a combination applies.
 */

/** What the service responded to a completion, or to `files.upload`. */
export const responses = [
  'ok',
  'ok, and shows the message',
  'ok, without a list of files',
  'ok, with a list that lacks files',
  'not sent',
  'refused for all channels',
  'refused because of a channel',
  'refused',
  'ambiguous',
  'file_not_found',
] as const

/** What lookups showed. `none`: there was none. */
export const lookups = [
  'none',
  'visible in every channel',
  'visible in all channels but one',
  'visible in one channel',
  'found, visible nowhere',
  'unclear',
  'absent',
  'not possible',
  'no result',
  'aborted',
] as const

export interface Combination {
  readonly response: (typeof responses)[number]
  readonly lookup: (typeof lookups)[number]
  readonly channels: number
  /** It is about the second completion. */
  readonly repeated: boolean
}

/** What becomes of the channels in which the message is not visible; where it is visible, it is `posted`. */
type Consequence = 'accepted' | 'if-not-confirmed' | 'not-sent' | 'unknown' | 'complete again' | 'upload again'

interface Row {
  /** Cells of the table. */
  readonly cells: readonly [response: string, lookups: string, result: string]
  readonly covers: (combination: Combination) => boolean
  readonly consequence: Consequence
}

const isOk = ({ response }: Combination) => response.startsWith('ok')
const isRefused = ({ response }: Combination) => response.startsWith('refused')
const isVisible = ({ lookup }: Combination) => lookup.startsWith('visible')
/** The first of several channels may have the files. */
const isCertain = ({ channels, response }: Combination) =>
  response === 'not sent' ||
  response === 'refused for all channels' ||
  (response.startsWith('refused') && channels === 1)

export const rows: readonly Row[] = [
  {
    cells: ['ok, but its list of files lacks some', 'not all files are visible, or no lookup is possible', '`unknown`'],
    covers: ({ response }) => response === 'ok, with a list that lacks files',
    consequence: 'unknown',
  },
  {
    cells: ['ok', 'none are made, none are possible, or they have no result', '`accepted`'],
    covers: (one) => isOk(one) && ['none', 'not possible', 'no result'].includes(one.lookup),
    consequence: 'accepted',
  },
  {
    cells: [
      'ok',
      'the message was not seen in some channels, or the run ended before',
      '`if-not-confirmed` decides: `unknown` or `accepted`',
    ],
    covers: isOk,
    consequence: 'if-not-confirmed',
  },
  {
    cells: ['refused because of a channel', 'visible in all other channels', '`not-sent` in this channel'],
    covers: ({ channels, lookup, repeated, response }) =>
      response === 'refused because of a channel' &&
      !repeated &&
      (lookup === 'visible in all channels but one' || (lookup === 'visible in one channel' && channels === 2)),
    consequence: 'not-sent',
  },
  {
    cells: ['refused, or ambiguous', 'visible in some channels', '`unknown` in the others'],
    covers: isVisible,
    consequence: 'unknown',
  },
  {
    cells: ['any, to the second completion', 'visible nowhere', '`unknown`'],
    covers: ({ repeated }) => repeated,
    consequence: 'unknown',
  },
  {
    cells: ['not sent, or certainly refused', 'not needed', '`not-sent`'],
    covers: (one) => one.lookup === 'none' && isCertain(one),
    consequence: 'not-sent',
  },
  {
    cells: ['refused, but not certainly', 'absent for 30 s', '`not-sent`'],
    covers: (one) => one.lookup === 'absent' && isRefused(one),
    consequence: 'not-sent',
  },
  {
    cells: ['`file_not_found`', 'absent for 30 s', 'the files are uploaded again and completed, once'],
    covers: ({ lookup, response }) => lookup === 'absent' && response === 'file_not_found',
    consequence: 'upload again',
  },
  {
    cells: ['ambiguous', 'absent for 30 s', 'the completion is repeated with the same files, once'],
    covers: ({ lookup }) => lookup === 'absent',
    consequence: 'complete again',
  },
  {
    cells: [
      'ambiguous, or refused, but not certainly',
      'anything else: a file that is visible nowhere, an error about it such as `file_deleted`, no result, or no lookup (`files.upload`, no `files:read`)',
      '`unknown`, not repeated',
    ],
    covers: () => true,
    consequence: 'unknown',
  },
]
