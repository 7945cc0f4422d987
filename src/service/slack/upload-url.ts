import type { FoundFile } from '../../files/files.ts'
import type { Json } from '../../json.ts'
import { textIn } from '../../json.ts'
import { ProblemError } from '../../problem.ts'
import { code, type Text, text } from '../../text/text.ts'
import { hasCredentials, idIn, isProtected } from './web-api.ts'

/** Where the bytes of one file go, and the ID that the file then has. Whoever knows the URL may upload. */
export interface UploadUrl {
  readonly id: string
  readonly url: URL
}

/** Characters. RFC 9110 section 4.1 asks everybody to support that many. */
const maxUploadUrlLength = 8_000

/**
 * The upload URL in a response of `files.getUploadURLExternal`. It is checked before it is masked: the mask of a text that
 * is no such URL could hide anything in the log.
 *
 * @param removeToken replaces the token in a text
 * @throws ProblemError if the bytes must not be sent there
 */
export function readUploadUrl(json: Json, file: FoundFile, removeToken: (text: string) => string): UploadUrl {
  const id = idIn(json, 'file_id')
  const address = textIn(json, 'upload_url')
  if (id === undefined || address === undefined) {
    throw unusable(file, text`no usable ${code('file_id')} or no ${code('upload_url')}`)
  }
  const url = URL.parse(address)
  if (url === null || !isProtected(url)) throw unusable(file, text`an upload URL that is not https`)
  if (hasCredentials(url)) throw unusable(file, text`an upload URL with a user name or a password`)
  if (`${url.pathname}${url.search}` === '/') throw unusable(file, text`an upload URL that is only a host`)
  if (url.href.length > maxUploadUrlLength) {
    throw unusable(file, text`an upload URL of ${url.href.length} characters`)
  }
  if (removeToken(url.href) !== url.href) throw unusable(file, text`an upload URL that contains the token`)
  return { id, url }
}

/** The response holds what must not be used for this file. */
export function unusable(file: FoundFile, what: Text): ProblemError {
  return new ProblemError({
    title: 'The service gave no usable upload URL',
    text: text`${file.path} could not be uploaded: the service responded with ${what}.\nIs ${code('base-url')} the address of the service itself?`,
  })
}
