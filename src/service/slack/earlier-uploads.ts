import pMap from 'p-map'
import type { FoundFile } from '../../files/files.ts'
import { isObject, type Json, numberIn, objectIn, textIn } from '../../json.ts'
import { code, type Text, text } from '../../text/text.ts'
import { describeFailure, type Failure } from '../failures.ts'
import type { DeliveredMessage, EarlierUploads, MessageTarget, Posting } from '../service.ts'
import {
  type FileShare,
  findingEarlier,
  type LookupDependencies,
  type LookupResult,
  pollFile,
  uploadedFile,
} from './file-lookup.ts'
import type { AddPermalink } from './permalinks.ts'
import { identify, idIn, teamOf, type WebApi } from './web-api.ts'

interface EarlierUploadsOptions extends LookupDependencies {
  readonly addPermalink: AddPermalink
}

/** A run can be run again for 30 days, https://docs.github.com/en/actions/how-tos/manage-workflow-runs/re-run-workflows-and-jobs */
const daysBack = 35
const pageSize = 100
/** The newest 5,000 files. Slack allows about 50 calls of files.list a minute. */
const maxPages = 50
const lookupsAtOnce = 64

export const lacksScope: Text = text`the token lacks ${code('files:read')}. Add this scope to the app, reinstall the app, and use the new token`

/** Looks for uploads of an earlier attempt: first in the list of our own files, then each that it names. */
export async function findEarlierUploads(
  deps: EarlierUploadsOptions,
  files: readonly FoundFile[],
  target: MessageTarget,
): Promise<EarlierUploads> {
  const listed = await listUploads(deps.api, files)
  const lookedUp = await pMap(
    files.filter((file) => listed.ids.has(file)),
    (file) => lookUpAll(deps, file, [...(listed.ids.get(file) ?? [])], target),
    { concurrency: lookupsAtOnce },
  )
  const incomplete = listed.incomplete ?? lookedUp.find(({ undecided }) => undecided !== undefined)?.undecided
  return { messages: together(lookedUp.flatMap(({ messages }) => messages)), incomplete }
}

/** Files that were seen in the same messages are one message. */
function together(messages: readonly DeliveredMessage[]): readonly DeliveredMessage[] {
  const groups = Map.groupBy(messages, ({ postings }) =>
    JSON.stringify(postings.map(({ channel, ts }) => [channel.id, ts])),
  )
  return [...groups.values()].map((group) => ({
    files: group.flatMap(({ files }) => files),
    postings: group[0]?.postings ?? [],
  }))
}

/** Looks all uploads of a file up, until each channel shows one of them: a message can become visible after its file is listed. */
async function lookUpAll(
  deps: EarlierUploadsOptions,
  file: FoundFile,
  ids: readonly string[],
  target: MessageTarget,
): Promise<{ readonly messages: readonly DeliveredMessage[]; readonly undecided: Text | undefined }> {
  const shown = new Map<string, readonly FileShare[]>()
  const isDecided = () => {
    const decided = [...shown.values()].flat().filter(({ isInPlace }) => isInPlace !== undefined)
    return target.channels.every(({ id }) => decided.some(({ channel }) => channel.id === id))
  }
  const lookUp = async (id: string) => {
    const isEnough = (shares: readonly FileShare[]) => {
      shown.set(id, shares)
      return isDecided()
    }
    const seen = await pollFile(deps, id, target, { ...findingEarlier, isEnough })
    return { ...seen, file: uploadedFile({ file, id }, seen.records[0]) }
  }
  const lookedUp = await Promise.all(ids.map(lookUp))
  const undecided = isDecided() ? undefined : lookedUp.map(whyUndecided).find(Boolean)
  const reported = new Set<string>()
  const messages = lookedUp.map(async (upload): Promise<DeliveredMessage> => {
    // A copy of another size is damaged: people do not have the file. A channel that has several is reported once.
    const isIntact = (upload.file.size ?? file.size) === file.size
    const here = upload.shares.filter(({ channel, isInPlace }) => isIntact && isInPlace && !reported.has(channel.id))
    for (const { channel } of here) reported.add(channel.id)
    const postings = here.map(({ channel, ts }): Posting => ({ channel, state: 'posted', earlier: true, ts }))
    return { files: [upload.file], postings: await Promise.all(postings.map(deps.addPermalink)) }
  })
  return { messages: (await Promise.all(messages)).filter(({ postings }) => postings.length > 0), undecided }
}

/** Why an upload may be where it was not seen. */
function whyUndecided({ aborted, reason, records, shares }: LookupResult): Text | undefined {
  if (aborted) return text`the run ended before that`
  if (shares.some(({ isInPlace }) => isInPlace === undefined)) {
    return text`${'files.info'} did not say in which thread a file is`
  }
  return records.length === 0 && reason ? text`${'files.info'}: ${reason}` : undefined
}

interface Listed {
  /** The IDs of the uploads of each file. */
  readonly ids: ReadonlyMap<FoundFile, ReadonlySet<string>>
  readonly incomplete?: Text | undefined
}

const listOptions = { safeToRepeat: true }

/** Only our own files: anyone else can give a file a title that ends in a key. */
async function listUploads(api: WebApi, files: readonly FoundFile[]): Promise<Listed> {
  const ids = new Map<FoundFile, Set<string>>()
  const identity = await identify(api)
  if (identity.outcome !== 'succeeded') return { ids, incomplete: describeFailure(identity) }
  const user = idIn(identity.json, 'user_id')
  if (user === undefined) return { ids, incomplete: text`${'auth.test'} responded without a ${code('user_id')}` }
  if (api.lacks('files:read')) return { ids, incomplete: lacksScope }

  const byKey = new Map(files.map((file) => [file.key, file]))
  const from = String(Math.floor(Date.now() / 1_000) - daysBack * 24 * 60 * 60)
  const incomplete = await listFiles(api, { user, ts_from: from, team_id: teamOf(identity.json) }, (record) => {
    const id = idIn(record, 'id')
    const [, key] = / · ([0-9a-f]{10})$/.exec(textIn(record, 'title') ?? '') ?? []
    const file = byKey.get(key)
    if (id === undefined || file === undefined || textIn(record, 'user') !== user) return
    ids.set(file, (ids.get(file) ?? new Set()).add(id))
  })
  return { ids, incomplete }
}

type Form = Readonly<Record<string, string | undefined>>

function whyNotListed(failure: Failure): Text {
  return failure.code === 'missing_scope' ? lacksScope : describeFailure(failure)
}

/** Lists files, newest first. Returns why some can be missing. https://docs.slack.dev/reference/methods/files.list */
async function listFiles(api: WebApi, form: Form, onRecord: (record: Json) => void): Promise<Text | undefined> {
  for (let page = 1; page <= maxPages; page += 1) {
    const position = { count: String(pageSize), page: String(page) }
    const response = await api.call('files.list', { ...form, ...position }, listOptions)
    if (response.outcome !== 'succeeded') return whyNotListed(response)
    const records = response.json['files']
    if (!Array.isArray(records)) return text`${'files.list'} responded without a list`
    for (const record of records.filter(isObject)) onRecord(record)
    const pages = numberIn(objectIn(response.json, 'paging'), 'pages')
    if (pages === undefined ? records.length === 0 : page >= pages) return undefined
  }
  return text`there are more than ${maxPages * pageSize} files to look through`
}
