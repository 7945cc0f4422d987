import { readWhole } from '../../files/content.ts'
import type { FoundFile } from '../../files/files.ts'
import { isProtected } from '../../hosts.ts'
import { type Json, textIn } from '../../json.ts'
import { fatal, ProblemError } from '../../problem.ts'
import { type Text, text } from '../../text/text.ts'
import { reportSent, sendChunks } from '../body.ts'
import { type Failure, problemOf, withSize } from '../errors/failures.ts'
import { connectionsAtOnce } from '../http/stall.ts'
import { idIn, maxUrlLength } from '../record.ts'
import { readUpload } from '../responses.ts'
import type { MessagingService } from '../service.ts'
import type { ServiceDependencies } from '../web-api.ts'
import { resolveChannels } from './channels.ts'
import { postFiles } from './completion.ts'
import { permalinksOf } from './permalinks.ts'
import { checkChannels, checkToken } from './preflight.ts'
import { postText } from './text-message.ts'

/**
 * Three steps: an upload URL for each file, its bytes, then one completion for up to ten files.
 * https://docs.slack.dev/messaging/working-with-files/#upload
 */
export function externalUpload(deps: ServiceDependencies): MessagingService {
  const { api, content, dryRun, ifNotConfirmed } = deps
  const addPermalink = permalinksOf(api)
  const upload = createUpload(deps)
  return {
    limits: {
      filesAtOnce: connectionsAtOnce,
      // Not documented. Users report that 14 worked and 15 failed.
      filesPerMessage: 10,
      commentGoesWith: 'first message',
    },
    resolve: (channels) => resolveChannels(api, channels, { create: !dryRun }),
    async preflight(channels, posts) {
      // One channel needs no check, since the response to the completion is about it.
      if (!dryRun && channels.length === 1) return []
      const ofToken = dryRun ? await checkToken(api, posts) : []
      if (ofToken.some(({ result }) => result === 'failed')) return ofToken
      return [...ofToken, ...(await checkChannels(api, channels, { dryRun, posts }))]
    },
    async stage(file, signal) {
      if (!dryRun) return upload(file, signal)
      await readWhole(content, file, signal)
      return { file }
    },
    async post(message) {
      const result =
        message.files.length === 0
          ? await postText(api, message)
          : await postFiles(deps, upload, message)
      if (ifNotConfirmed === 'ignore') return result
      return { ...result, postings: await Promise.all(result.postings.map(addPermalink)) }
    },
  }
}

function createUpload(deps: ServiceDependencies): MessagingService['stage'] {
  const { api } = deps
  return async (file, signal) => {
    const call = { ...api.callOf('upload'), file: file.path, bytes: file.size }
    /** Of the last attempt. */
    let target: Awaited<ReturnType<typeof requestUploadUrl>> | undefined
    /** After 429, nothing was carried out, so the URL can be used again. */
    let unused: typeof target
    const sendBytes = async (requestSignal: AbortSignal) => {
      target = unused ?? (await requestUploadUrl(deps, file, signal))
      unused = undefined
      const { url } = target
      call.host = url.host
      const response = await api.http.send({
        url,
        headers: { 'content-type': 'application/octet-stream' },
        body: { length: file.size, chunks: () => sendChunks(deps, file) },
        authorized: false,
        signal: requestSignal,
      })
      // After another status, users report an empty file from a second attempt at the same URL.
      if (response.status === 429) unused = target
      // The path grants access, and the body of an error can quote it.
      return { ...response, text: response.text?.replaceAll(url.pathname + url.search, '…') }
    }
    const result = await api.retry.run(call, sendBytes, readUpload, {
      safeToRepeat: true,
      signal,
    })
    if (result.outcome === 'succeeded') {
      reportSent(deps, file)
      return { file, id: target?.id }
    }
    // The API responds, so only the host for the bytes may be out of reach.
    const { host } = api.callOf('upload')
    const isOnlyForBytes = result.advice.isNetworkPath && host !== result.host
    const both = text`${host} responds, but wants files uploaded to ${result.host}. The runner must reach both (DNS, firewall, proxy).`
    throw new ProblemError(
      problemOf(result, notUploaded(file, result), isOnlyForBytes ? { remedy: both } : {}),
    )
  }
}

async function requestUploadUrl(deps: ServiceDependencies, file: FoundFile, signal: AbortSignal) {
  const form = { filename: file.name, length: String(file.size) }
  const options = { safeToRepeat: true, signal }
  const result = await deps.api.call('files.getUploadURLExternal', form, options)
  if (result.outcome !== 'succeeded') {
    throw new ProblemError(problemOf(result, notUploaded(file, result)))
  }
  const given = readUploadUrl(result.json, file, deps)
  deps.maskSecret(given.url.href)
  return given
}

function notUploaded({ path, size }: FoundFile, failure: Failure): Text {
  return text`${withSize(text`${path}`, size, failure)} could not be uploaded`
}

/** Before the URL is masked, because masking any other text could hide the whole log. */
function readUploadUrl(json: Json, file: FoundFile, { api, removeToken }: ServiceDependencies) {
  const id = idIn(json, 'file_id')
  const url = URL.parse(textIn(json, 'upload_url') ?? '')
  if (id === undefined || url === null || url.href.length > maxUrlLength)
    throw unusableUrlError(file, text`no usable \`file_id\` or \`upload_url\``)
  const { origin } = api.callOf('upload')
  // A service elsewhere must not reach the ports of the runner.
  const isSafe = origin.startsWith('http:') ? isProtected(url) : url.protocol === 'https:'
  if (!isSafe && url.origin !== origin)
    throw unusableUrlError(
      file,
      text`an upload URL that is not https: plain http is only for a \`base-url\` that uses it`,
    )
  if (removeToken(url.href) !== url.href)
    throw unusableUrlError(file, text`an upload URL that contains the token`)
  return { id, url }
}

function unusableUrlError(file: FoundFile, what: Text): ProblemError {
  return fatal(
    'The service gave no usable upload URL',
    text`${file.path} could not be uploaded: the service responded with ${what}.\nIs \`base-url\` the address of the service itself?`,
  )
}
