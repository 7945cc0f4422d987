// Open questions about the service, as worlds: each changes the sandbox's default in one answer.
// Promises hold in all of them, except those in `impossible` and docs/delivery.md.
import type { GivenSettings, Workspace } from '../../sandbox/workspace.ts'
import { channels } from './channels.ts'

/** Other answers to each question, by the name of their world. */
const questions: readonly Readonly<Record<string, GivenSettings>>[] = [
  {
    'a second completion is ok again, and posts nothing': { secondCompletion: 'ok' },
    'a second completion posts again': { secondCompletion: 'shares again' },
  },
  {
    'of several channels, one that is refused does not keep the others from getting it': {
      wrongChannel: 'fails alone',
    },
  },
  {
    'a record lists a group conversation without a ts': { groupShares: 'listed' },
    'a record shows a group conversation late': { groupShares: 'late' },
  },
  { 'a 429 comes after the call was carried out': { rateLimited: 'carried out' } },
  {
    'a completion takes effect after 20 s': {
      processing: { known: 20_000, processed: 20_000 },
      sharing: 20_000,
    },
  },
  { 'an upload URL expires after five minutes': { ticketMilliseconds: 300_000 } },
  { 'a gateway ends every eighth upload with a web page': { uploadMilliseconds: 45 } },
  { 'a text changes its size': { textSize: 'changed' } },
  { 'a photo keeps its size': { jpegSize: 'as sent' } },
  {
    'a file is processed only when its message comes': { processing: { processed: 1_500 } },
    'a file is processed after its message came': { processing: { processed: 10_000 } },
    'a file is processed after a minute and a half, when its message comes': {
      processing: { processed: 90_000 },
      sharing: 90_000,
    },
  },
  { 'the response to a completion has the messages': { completionShares: 'shown', sharing: 0 } },
  { 'a list without members is an object': { emptyLists: '{}' } },
  { 'a token has classic scopes': { scopeNames: 'classic' } },
]

export const worlds: Readonly<Record<string, GivenSettings>> = Object.assign({}, ...questions)

/** Picks an answer to each question. */
export function randomWorld(pick: <T>(list: readonly T[]) => T): GivenSettings {
  return Object.assign({}, ...questions.map((others) => pick([{}, ...Object.values(others)])))
}

/**
 * Worlds in which a report can be wrong or a message posted twice, with the words for it in
 * docs/delivery.md.
 */
export const impossible: Readonly<Record<string, string>> = {
  'a record shows a group conversation late':
    'the service posts a message that it refuses, to one channel',
  'a 429 comes after the call was carried out': 'limits the rate (429)',
}

/** Can no action keep this promise in this world? `deniesPosts`: a post was answered with 429. */
export function isImpossible(
  broken: string,
  { deniesPosts, workspace }: { readonly deniesPosts: boolean; readonly workspace: Workspace },
): boolean {
  const { groupShares } = workspace.settings
  if (groupShares === 'late' && broken.includes(channels.group) && broken.includes('not sent'))
    return true
  return deniesPosts && / times|not sent|is accepted in|(failed|partial) with/.test(broken)
}
