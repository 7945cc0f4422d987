// What nobody outside of the service knows, as worlds: each is one change of the sandbox's default
// world. The promises hold in all but those that `impossible` names, as does docs/delivery.md.
import type { GivenSettings, Workspace } from '../../sandbox/workspace.ts'
import { channels } from './channels.ts'

/** The other answers to each question, by the name of the world. */
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

/** An answer to each question. */
export function randomWorld(pick: <T>(list: readonly T[]) => T): GivenSettings {
  return Object.assign({}, ...questions.map((others) => pick([{}, ...Object.values(others)])))
}

/**
 * The worlds in which the report may be wrong, or somebody gets a message twice, and the words of
 * docs/delivery.md that say so.
 */
export const impossible: Readonly<Record<string, string>> = {
  'a record shows a group conversation late':
    'the service refuses a message to one channel and posts it anyway',
  'a 429 comes after the call was carried out': 'the service limits the rate (429)',
}

/**
 * Whether a promise was broken because of a world in which it is impossible. `deniesPosts`: a post
 * was answered with 429.
 */
export function isImpossible(
  broken: string,
  { deniesPosts, workspace }: { readonly deniesPosts: boolean; readonly workspace: Workspace },
): boolean {
  const { groupShares } = workspace.settings
  if (groupShares === 'late' && broken.includes(channels.group) && broken.includes('not sent'))
    return true
  return deniesPosts && / times|not sent|is accepted in|(failed|partial) with/.test(broken)
}
