import pMap from 'p-map'
import type { FoundFile } from '../../files/files.ts'
import { isObject, type Json, numberIn, objectIn, textIn } from '../../json.ts'
import { code, type Text, text } from '../../text/text.ts'
import { describeFailure } from '../errors/failures.ts'
import type { DeliveredMessage, EarlierUploads, MessageTarget, Posting } from '../service.ts'
import {
  type FileShare,
  findingEarlier,
  isDamaged,
  type LookupDependencies,
  type LookupResult,
  lacksScope,
  lookingOnce,
  pollFile,
  type Schedule,
  serviceFile,
  sharesIn,
  usedOf,
} from './file-lookup.ts'
import { identify, idIn, teamOf, type WebApi } from './web-api.ts'

/** A run can be run again for 30 days, https://docs.github.com/en/actions/how-tos/manage-workflow-runs/re-run-workflows-and-jobs */
const daysBack = 35
const pageSize = 100
/** The newest 5,000 files. Slack allows about 50 calls of files.list a minute. */
const maxCalls = 50
const lookupsAtOnce = 64
const maxFilesTogether = 10

/** Looks for uploads of an earlier attempt: first in the list of our own files, then each that it names. */
export async function findEarlierUploads(
  deps: LookupDependencies,
  files: readonly FoundFile[],
  target: MessageTarget,
): Promise<EarlierUploads> {
  const listed = await listUploads(deps.api, files)
  // Which files were in one message is not known: no more than these.
  const largest = files.map(({ size }) => size).toSorted((a, b) => b - a)
  const bytes = largest.slice(0, maxFilesTogether).reduce((sum, size) => sum + size, 0)
  const schedule = { ...findingEarlier, bytes }
  const lookUp = (uploads: Uploads) => lookUpAll(deps, uploads, target, schedule)
  const lookedUp = await pMap(listed.uploads, lookUp, { concurrency: lookupsAtOnce })
  const incomplete = listed.incomplete ?? lookedUp.find(({ undecided }) => undecided !== undefined)?.undecided
  return { messages: together(lookedUp.flatMap(({ messages }) => messages)), incomplete }
}

/** Files that were seen in the same messages are one message. */
function together(messages: readonly DeliveredMessage[]): readonly DeliveredMessage[] {
  const placesOf = ({ postings }: DeliveredMessage) => postings.map(({ channel, ts }) => `${channel.id} ${ts}`).join()
  return Array.from(Map.groupBy(messages, placesOf).values(), (group) => ({
    files: group.flatMap(({ files }) => files),
    postings: group[0]?.postings ?? [],
  }))
}

/**
 * Looks all uploads of a file up: once, and if they leave a channel undecided, for a minute, because a message can become visible
 * after its file is listed.
 */
async function lookUpAll(
  deps: LookupDependencies,
  [file, records]: Uploads,
  target: MessageTarget,
  schedule: Schedule,
): Promise<{ readonly messages: readonly DeliveredMessage[]; readonly undecided: Text | undefined }> {
  const lookUp = (times: Schedule) =>
    Promise.all(
      Array.from(records, async ([id, listed]) => {
        const seen = await pollFile(deps, id, target, times)
        // What the list says is older, but better than nothing.
        const instead = seen.worked ? undefined : listed
        const shares = [...seen.shares, ...sharesIn(instead, target)]
        return { ...seen, shares, file: serviceFile({ file, id }, seen.records[0] ?? instead) }
      }),
    )
  const first = await lookUp(lookingOnce)
  const later = isDecided(first, target) ? [] : await lookUp(schedule)
  const lookedUp = [...later, ...first]
  const undecided = isDecided(lookedUp, target) ? undefined : later.map(whyUndecided).find(Boolean)
  const reported = new Set<string>()
  const messages = lookedUp.map((upload): DeliveredMessage => {
    // A channel that has several copies is reported once. People have nothing of a damaged one.
    const isNew = ({ channel, isInPlace }: FileShare) => isInPlace && !reported.has(channel.id)
    const here = isDamaged(upload.file) ? [] : upload.shares.filter(isNew)
    for (const { channel } of here) reported.add(channel.id)
    const postings = here.map(({ channel, ts }): Posting => ({ channel, state: 'posted', earlier: true, ts }))
    return { files: [upload.file], postings }
  })
  return { messages: messages.filter(({ postings }) => postings.length > 0), undecided }
}

/** Whether lookups said of each channel whether the file is there, and with a thread in the thread. */
function isDecided(seen: readonly LookupResult[], { channels }: MessageTarget): boolean {
  const decided = seen.flatMap(({ shares }) => shares).filter(({ isInPlace }) => isInPlace !== undefined)
  return channels.every(({ id }) => decided.some(({ channel }) => channel.id === id))
}

/** Why an upload may be where it was not seen. */
function whyUndecided({ aborted, reason, records, shares, worked }: LookupResult): Text | undefined {
  if (aborted) return text`the run ended before that`
  if (shares.some(({ isInPlace }) => isInPlace === undefined)) {
    return text`${'files.info'} did not say in which thread a file is`
  }
  return reason && (records.length === 0 || !worked) ? text`${'files.info'}: ${reason}` : undefined
}

/** A file, and the record of each of its uploads by ID. */
type Uploads = readonly [FoundFile, ReadonlyMap<string, Json>]

/** Only our own files: anyone else can give a file a title that ends in a key. */
async function listUploads(api: WebApi, files: readonly FoundFile[]) {
  const none = (incomplete: Text) => ({ uploads: [], incomplete })
  const identity = await identify(api)
  if (identity.outcome !== 'succeeded') return none(describeFailure(identity))
  const user = idIn(identity.json, 'user_id')
  if (user === undefined) return none(text`${'auth.test'} responded without a ${code('user_id')}`)
  if (api.lacks('files:read')) return none(lacksScope)

  const uploads = new Map(files.map((file) => [file.key, [file, new Map<string, Json>()] as const]))
  const from = String(Math.floor(Date.now() / 1_000) - daysBack * 24 * 60 * 60)
  const incomplete = await listFiles(api, { user, ts_from: from, team_id: teamOf(identity.json) }, (record) => {
    const id = idIn(record, 'id')
    const [, key] = / · ([0-9a-f]{10})$/.exec(textIn(record, 'title') ?? '') ?? []
    if (id !== undefined && textIn(record, 'user') === user) uploads.get(key)?.[1].set(id, usedOf(record))
  })
  return { uploads: [...uploads.values()], incomplete }
}

/**
 * Lists files, newest first, and from the first page again if their number changes meanwhile: some moved to another page. Returns
 * why some can be missing. https://docs.slack.dev/reference/methods/files.list
 */
async function listFiles(
  api: WebApi,
  form: Readonly<Record<string, string | undefined>>,
  onRecord: (record: Json) => void,
): Promise<Text | undefined> {
  let total: number | undefined
  let page = 0
  for (let call = 1; call <= maxCalls; call += 1) {
    page += 1
    const position = { count: String(pageSize), page: String(page) }
    const response = await api.call('files.list', { ...form, ...position }, { safeToRepeat: true })
    if (response.outcome !== 'succeeded') {
      return response.code === 'missing_scope' ? lacksScope : describeFailure(response)
    }
    const records = response.json['files']
    if (!Array.isArray(records)) return text`${'files.list'} responded without a list`
    for (const record of records.filter(isObject)) onRecord(record)
    const paging = objectIn(response.json, 'paging')
    const totalNow = numberIn(paging, 'total')
    if (page > 1 && totalNow !== total) page = 0
    else if (isLast(page, records.length, numberIn(paging, 'pages'))) return undefined
    total = totalNow
  }
  return text`there are more than ${maxCalls * pageSize} files to look through, or their number changed each time`
}

/** A full page may be followed by another one, whatever it says. */
function isLast(page: number, records: number, pages: number | undefined): boolean {
  return pages === undefined ? records === 0 : records < pageSize && page >= pages
}
