import { isSlack } from '../hosts.ts'
import { text } from '../text/text.ts'
import { filesUpload } from './files-upload.ts'
import { createHttp, type Http } from './http/http.ts'
import { Retry } from './retry.ts'
import type { MessagingService, ServiceOptions } from './service.ts'
import { externalUpload } from './slack/external-upload.ts'
import { WebApi } from './web-api.ts'

export interface CreateServiceOptions extends ServiceOptions {
  readonly method: 'external' | 'files.upload'
  readonly baseUrl: URL
  readonly token: string
}

/**
 * Closed at the end of a `using` block.
 *
 * @param environment for tests; `random` is from 0 to 1
 */
export function createService(
  options: CreateServiceOptions,
  environment: { readonly http?: Http; readonly random?: () => number } = {},
): { readonly service: MessagingService; readonly [Symbol.dispose]: () => void } {
  const { baseUrl, deadline, method, onEvent, removeToken, token } = options
  const http =
    environment.http ??
    createHttp(
      { origin: baseUrl.origin, removeToken, timeLeft: () => deadline.remaining(), token },
      method === 'files.upload' ? 'own' : 'kept',
    )
  const retry = new Retry(deadline, onEvent, environment.random ?? Math.random)
  const name = isSlack(baseUrl.hostname) ? text`Slack` : text`${baseUrl.host}`
  const api = new WebApi(http, retry, baseUrl, name)
  const deps = { ...options, api }
  const service = method === 'files.upload' ? filesUpload(deps) : externalUpload(deps)
  return { service, [Symbol.dispose]: () => http.close() }
}
