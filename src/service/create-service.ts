import { serviceName } from '../hosts.ts'
import type { Text } from '../text/text.ts'
import { tokenRemover } from '../text/token.ts'
import { filesUpload } from './files-upload.ts'
import { createHttp, type Http } from './http/http.ts'
import { Retry } from './http/retry.ts'
import type { MessagingService, ServiceOptions } from './service.ts'
import { externalUpload } from './slack/external-upload.ts'
import { WebApi } from './slack/web-api.ts'

export interface CreateServiceOptions extends ServiceOptions {
  readonly method: MessagingService['method']
  readonly baseUrl: URL
  readonly token: string
  /** Use the proxies that the environment names. */
  readonly useProxies: boolean
}

/**
 * The service by one upload method, what texts call it, closed at the end of a `using` block.
 *
 * @param environment what tests replace; `random` gives a number from 0 to 1
 */
export function createService(
  options: CreateServiceOptions,
  environment: { readonly http?: Http; readonly random?: () => number } = {},
): { readonly service: MessagingService; readonly name: Text; readonly [Symbol.dispose]: () => void } {
  const { baseUrl, deadline, method, onEvent, token, useProxies } = options
  const http = environment.http ?? createHttp({ value: token, origin: baseUrl.origin }, { useProxies })
  const retry = new Retry(deadline, onEvent, environment.random ?? Math.random)
  const name = serviceName(baseUrl)
  const api = new WebApi(http, retry, baseUrl, name)
  const shared = { ...options, api }
  const service =
    method === 'files.upload'
      ? filesUpload(shared)
      : externalUpload({ ...shared, http, retry, removeToken: tokenRemover(token) })
  return { service, name, [Symbol.dispose]: () => http.close() }
}
