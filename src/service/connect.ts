import type { Budget } from '../time.ts'
import { Attempts } from './attempts.ts'
import { withContent } from './content.ts'
import { ExternalUpload } from './external-upload.ts'
import { FilesUpload } from './files-upload.ts'
import { createHttp } from './http.ts'
import type { MessagingService, ServiceEvent } from './service.ts'
import { WebApi } from './web-api.ts'

export interface Connection {
  readonly baseUrl: URL
  readonly token: string
  readonly budget: Budget
  /** Nothing becomes visible, nothing is created. */
  readonly dryRun: boolean
  readonly tell: (event: ServiceEvent) => void
  /** Told whatever must not stand in a log, before it is used. */
  readonly keepSecret: (value: string) => void
}

/** The service by one upload method, and how to let go of it. */
export function connect(
  method: MessagingService['method'],
  connection: Connection,
): { readonly service: MessagingService; readonly close: () => void } {
  const { baseUrl, budget, dryRun, keepSecret, tell, token } = connection
  const http = createHttp({ value: token, origin: baseUrl.origin })
  const attempts = new Attempts(budget, tell)
  const around = {
    http,
    attempts,
    budget,
    baseUrl,
    token,
    withContent,
    countBytes: (count: number) => tell({ kind: 'bytes', count }),
  }
  const service =
    method === 'external'
      ? new ExternalUpload({ ...around, api: new WebApi(http, attempts, baseUrl), dryRun, keepSecret })
      : new FilesUpload(around)
  return { service, close: () => http.close() }
}
