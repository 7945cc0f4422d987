import type { Deadline } from '../deadline.ts'
import type { FileContent } from '../files/content.ts'
import { serviceName } from '../hosts.ts'
import type { Text } from '../text/text.ts'
import { tokenRemover } from '../text/token.ts'
import { ExternalUpload } from './external-upload.ts'
import { FilesUpload } from './files-upload.ts'
import { createHttp, type Http } from './http.ts'
import { Line } from './line.ts'
import { Retry } from './retry.ts'
import type { MessagingService, ServiceEvent } from './service.ts'
import { WebApi } from './web-api.ts'

export interface ConnectOptions {
  readonly method: MessagingService['method']
  readonly baseUrl: URL
  readonly token: string
  readonly deadline: Deadline
  readonly content: FileContent
  /** Use the proxies that the environment names. */
  readonly useProxies: boolean
  /** Nothing becomes visible, nothing is created. */
  readonly dryRun: boolean
  /** Post to no channel that is shared with another organization. */
  readonly refuseExternalChannels: boolean
  readonly onEvent: (event: ServiceEvent) => void
  /** Gets whatever must not appear in a log, before it is used. */
  readonly maskSecret: (secret: string) => void
}

/** What tests replace. */
export interface Environment {
  readonly http: Http
  /** A number from 0 to 1. */
  readonly random: () => number
}

/** The service by one upload method, what texts call it, closed at the end of a `using` block. */
export function connect(
  options: ConnectOptions,
  environment: Partial<Environment> = {},
): { readonly service: MessagingService; readonly name: Text; readonly [Symbol.dispose]: () => void } {
  const { baseUrl, content, deadline, dryRun, maskSecret, method, onEvent, refuseExternalChannels, token, useProxies } =
    options
  const line = new Line(deadline.clock)
  const http = environment.http ?? createHttp({ value: token, origin: baseUrl.origin }, { line, useProxies })
  const retry = new Retry(deadline, onEvent, environment.random ?? Math.random)
  const name = serviceName(baseUrl)
  const sendContent = reportSent(content, onEvent)
  const shared = { http, retry, deadline, service: name, content, sendContent, refuseExternalChannels }
  const connection = { name, [Symbol.dispose]: () => http.close() }
  if (method === 'files.upload') return { service: new FilesUpload({ ...shared, baseUrl }), ...connection }
  const api = new WebApi(http, retry, baseUrl, name)
  return {
    service: new ExternalUpload({
      ...shared,
      api,
      line,
      host: baseUrl.host,
      removeToken: tokenRemover(token),
      dryRun,
      maskSecret,
      onEvent,
    }),
    ...connection,
  }
}

/** The same bytes. Each chunk is reported once it was sent. */
function reportSent(content: FileContent, onEvent: ConnectOptions['onEvent']): FileContent {
  return {
    async *chunks(file) {
      for await (const chunk of content.chunks(file)) {
        yield chunk
        onEvent({ kind: 'sent', bytes: chunk.byteLength })
      }
    },
  }
}
