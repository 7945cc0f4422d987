import type { Problem } from '../problem.ts'
import { code, join, list, type Text, text } from '../text/text.ts'

/** The inputs that `action.yml` declares → what an empty one means. */
export const defaults = {
  token: '',
  channels: '',
  files: '',
  comment: '',
  title: '{name}',
  'comment-format': 'mrkdwn',
  'allow-broadcast': 'false',
  'thread-ts': '',
  'refuse-external-channels': 'false',
  method: 'auto',
  'base-url': 'https://slack.com',
  'working-directory': '',
  'if-no-files-found': 'error',
  'include-hidden-files': 'false',
  'max-files': '50',
  'if-not-confirmed': 'error',
  'timeout-minutes': '10',
  'dry-run': 'false',
  'on-rerun': 'post',
  'rerun-key': '',
}

export type InputName = keyof typeof defaults

/** Inputs of other actions that people keep when they switch → ours. The runner passes undeclared inputs on. */
const otherNames: Readonly<Record<string, InputName>> = {
  file: 'files',
  file_path: 'files',
  'file-path': 'files',
  filepath: 'files',
  path: 'files',
  filename: 'files',
  channel: 'channels',
  channel_id: 'channels',
  'channel-id': 'channels',
  channel_ids: 'channels',
  slack_channel: 'channels',
  slack_token: 'token',
  'slack-token': 'token',
  slack_bot_token: 'token',
  'slack-bot-token': 'token',
  slack_api_token: 'token',
  webhook: 'token',
  'webhook-url': 'token',
  initial_comment: 'comment',
  'initial-comment': 'comment',
  message: 'comment',
  text: 'comment',
  payload: 'comment',
  thread_ts: 'thread-ts',
  retries: 'timeout-minutes',
  if_no_files_found: 'if-no-files-found',
  slack_api_url: 'base-url',
  api: 'base-url',
}

/** The inputs of other actions that are set and mean our input `ours`. */
function namesSetFor(ours: InputName, environment: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(otherNames).filter((name) => otherNames[name] === ours && environment[variableOf(name)])
}

/** The variable by which the runner passes an input on. */
function variableOf(name: string): string {
  return `INPUT_${name.toUpperCase()}`
}

/** For the error about a missing input: the name that another action uses for it is set. */
export function nameInOtherActions(ours: InputName, environment: NodeJS.ProcessEnv): Text {
  const set = namesSetFor(ours, environment)
  return set.length === 0
    ? text``
    : text`: this action reads ${code(ours)}, not ${list(set.map(code), { separator: ' or ' })}`
}

const required: readonly InputName[] = ['token', 'channels', 'files']

/**
 * A warning about inputs that are set and not read. They are no error: the variable can be set for another reason. If a
 * required input is missing, its error names them.
 */
export function unreadInputs(environment: NodeJS.ProcessEnv): readonly Problem[] {
  const unread = [...new Set(Object.values(otherNames))].flatMap((ours) => {
    const set = namesSetFor(ours, environment)
    const isInError = required.includes(ours) && !environment[variableOf(ours)]
    return set.length === 0 || isInError ? [] : [text`${list(set.map(code))} (here: ${code(ours)})`]
  })
  if (unread.length === 0) return []
  return [
    {
      level: 'warning',
      title: 'Inputs of another action',
      text: text`These inputs are not read: ${join(unread, '; ')}.\nRemove them, or use the names of this action.`,
    },
  ]
}
