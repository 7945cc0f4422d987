import pMap from 'p-map'
import type { Deadline } from '../deadline.ts'
import type { FoundFile } from '../files/files.ts'
import { keyIn } from '../files/titles.ts'
import { isObject, type Json, numberIn, objectIn, textIn } from '../json.ts'
import { code, type Text, text } from '../text/text.ts'
import { describeFailure } from './failures.ts'
import { earlierDelays, pollFile } from './file-lookup.ts'
import { repliesIn, type Share, uploadedFile, visibleIn } from './file-record.ts'
import type { Permalinks } from './permalinks.ts'
import type { Channel, EarlierUpload, EarlierUploads, Posting } from './service.ts'
import { idIn, type WebApi } from './web-api.ts'

interface Dependencies {
  readonly api: WebApi
  readonly deadline: Deadline
  readonly permalinks: Permalinks
}

interface Where {
  readonly channels: readonly Channel[]
  readonly threadTs?: string
}

/** A run can be run again for 30 days, https://docs.github.com/en/actions/how-tos/manage-workflow-runs/re-run-workflows-and-jobs */
const daysBack = 35
const pageSize = 100
/** The newest 5,000 files. Slack allows about 50 calls of files.list a minute. */
const maxPages = 50
/** Milliseconds that one call may wait for a rate limit: what is found late is posted late. */
const maxWait = 60_000
const lookupsAtOnce = 64

export const lacksScope: Text = text`the token lacks ${code('files:read')}: add this scope to the app, reinstall the app, and use the new token`

/** An upload that is listed, with its record as the last lookup showed it. */
interface Candidate {
  readonly file: FoundFile
  readonly id: string
  /** The channels in which it is visible at all. */
  readonly visible: readonly Share[]
  /** Of those, the postings that count: of the intact file, in the thread if there is one. */
  readonly shares: readonly Share[]
  readonly record?: Json
  /** Why the lookup had no result. */
  readonly failed?: Text
}

/** Looks for uploads of an earlier attempt: first in the list of our own files, then each that it names. */
export async function findEarlierUploads(
  deps: Dependencies,
  files: readonly FoundFile[],
  where: Where,
): Promise<EarlierUploads> {
  const listed = await listUploads(deps.api, files)
  const first = await pMap(listed.candidates, (one) => lookUp(deps, one, where, [0]), { concurrency: lookupsAtOnce })
  const isEverywhere = (file: FoundFile) => {
    const visible = first.filter((one) => one.file === file).flatMap((one) => one.visible)
    return where.channels.every(({ id }) => visible.some(({ channel }) => channel.id === id))
  }
  // A message can become visible later than its file is listed.
  const untilVisible = (one: Candidate) =>
    one.visible.length > 0 && isEverywhere(one.file) ? one : lookUp(deps, one, where, earlierDelays)
  const last = await pMap(first, untilVisible, { concurrency: lookupsAtOnce })
  const incomplete = listed.incomplete ?? last.find(({ failed }) => failed !== undefined)?.failed
  return { uploads: await uploadsOf(last, files, deps.permalinks), ...(incomplete && { incomplete }) }
}

interface Listed {
  readonly candidates: readonly Candidate[]
  readonly incomplete?: Text
}

/** Only our own files: anyone else can give a file a title that ends in a key. */
async function listUploads(api: WebApi, files: readonly FoundFile[]): Promise<Listed> {
  const options = { safeToRepeat: true, maxWait }
  const identity = await api.call('auth.test', {}, options)
  if (identity.outcome !== 'succeeded') return { candidates: [], incomplete: describeFailure(identity.failure) }
  const user = idIn(identity.json, 'user_id')
  if (user === undefined)
    return { candidates: [], incomplete: text`${'auth.test'} responded without a ${code('user_id')}` }
  if (api.lacks('files:read')) return { candidates: [], incomplete: lacksScope }

  const byKey = new Map(files.map((file) => [file.key, file]))
  const found = new Map<string, Candidate>()
  const result = (incomplete?: Text): Listed => ({ candidates: [...found.values()], ...(incomplete && { incomplete }) })
  const from = String(Math.floor(Date.now() / 1_000) - daysBack * 24 * 60 * 60)
  for (let page = 1; page <= maxPages; page += 1) {
    const form = { user, ts_from: from, count: String(pageSize), page: String(page) }
    const response = await api.call('files.list', form, options)
    if (response.outcome !== 'succeeded') {
      return result(response.failure.code === 'missing_scope' ? lacksScope : describeFailure(response.failure))
    }
    const records = response.json['files']
    if (!Array.isArray(records)) return result(text`${'files.list'} responded without a list`)
    for (const record of records.filter(isObject)) {
      const id = idIn(record, 'id')
      const file = byKey.get(keyIn(textIn(record, 'title') ?? ''))
      if (id !== undefined && file && textIn(record, 'user') === user)
        found.set(id, { file, id, visible: [], shares: [] })
    }
    const pages = numberIn(objectIn(response.json, 'paging'), 'pages') ?? (records.length === 0 ? page : page + 1)
    if (page >= pages) return result()
  }
  return result(text`there are more than ${maxPages * pageSize} files to look through`)
}

/** Looks the upload up until it is visible in every channel. What was seen once counts. */
async function lookUp(
  { api, deadline }: Dependencies,
  before: Candidate,
  where: Where,
  delays: readonly number[],
): Promise<Candidate> {
  const { file, id } = before
  const { best } = await pollFile(api, deadline, id, delays, (lookup) => {
    return lookup.kind === 'found' && visibleIn(lookup.record, where.channels).length === where.channels.length
  })
  if (best?.kind === 'found') {
    const { record } = best
    const visible = visibleIn(record, where.channels)
    if (visible.length < before.visible.length) return before
    return { file, id, record, visible, shares: sharesOf(record, file, where) }
  }
  if (before.visible.length > 0 || best === undefined || best.kind === 'missing') return before
  return { ...before, failed: text`${'files.info'}: ${best.reason}` }
}

/** A copy of another size is damaged: people do not have the file. */
function sharesOf(record: Json, file: FoundFile, { channels, threadTs }: Where): readonly Share[] {
  if ((numberIn(record, 'size') ?? file.size) !== file.size) return []
  if (threadTs === undefined) return visibleIn(record, channels)
  return channels.flatMap((channel) => repliesIn(record, channel, threadTs).slice(0, 1))
}

/** In the order of the files. A file that is in a channel twice is reported there once. */
async function uploadsOf(
  candidates: readonly Candidate[],
  files: readonly FoundFile[],
  permalinks: Permalinks,
): Promise<readonly EarlierUpload[]> {
  const uploads = files.flatMap((file) => {
    const seen = new Set<string>()
    return candidates
      .filter((one) => one.file === file)
      .map(({ id, record, shares }) => {
        const others = shares.filter(({ channel }) => !seen.has(channel.id))
        for (const { channel } of others) seen.add(channel.id)
        return { file: uploadedFile({ file, id }, record), shares: others }
      })
  })
  return Promise.all(
    uploads
      .filter(({ shares }) => shares.length > 0)
      .map(async ({ file, shares }) => ({
        file,
        postings: await Promise.all(
          shares.map(({ channel, ts }) => {
            const posting: Posting = { channel, state: 'posted', earlier: true, ...(ts !== undefined && { ts }) }
            return permalinks.addTo(posting)
          }),
        ),
      })),
  )
}
