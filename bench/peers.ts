import type { Workload } from './workloads.ts'

/** A workload, with what an action needs to know to do it. */
export interface Task {
  readonly workload: Workload
  readonly baseUrl: string
  readonly token: string
  readonly channels: readonly string[]
  /** A glob. */
  readonly files: string
  /** The same one by one. */
  readonly fileNames: readonly string[]
}

/** Inputs of other actions, by the name that `--peer name=path/to/index.js` gives. */
export const peers: Readonly<Record<string, (task: Task) => Readonly<Record<string, string>> | undefined>> = {
  'slack-upload-file': ({ baseUrl, channels, files, token, workload }) =>
    canDo(workload)
      ? {
          slack_token: token,
          slack_api_url: `${baseUrl}/api/`,
          channel_id: channels.join(),
          file_path: files,
          file_path_follow_symbolic_links: 'true',
        }
      : undefined,
  'slack-github-action': ({ baseUrl, channels, fileNames, token, workload }) =>
    canDo(workload)
      ? {
          token,
          api: `${baseUrl}/api/`,
          method: 'files.uploadV2',
          errors: 'true',
          retries: '5',
          'payload-templated': 'false',
          payload: JSON.stringify({
            channel_id: channels.join(),
            file_uploads: fileNames.map((name) => ({ file: name, filename: name })),
          }),
        }
      : undefined,
}

/** None of them posts to several channels, or confirms that the message is visible. */
function canDo({ channels, confirm, method }: Workload): boolean {
  return method === 'external' && channels === undefined && confirm === undefined
}
