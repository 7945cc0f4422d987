import type { Problem } from '../problem.ts'
import { code, join, list, type Text, text } from '../text/text.ts'

/** Inputs of other actions that people keep when they switch → ours. The runner passes undeclared inputs on. */
const names: Readonly<Record<string, string>> = {
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
function namesSetFor(ours: string, environment: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(names).filter((name) => names[name] === ours && environment[`INPUT_${name.toUpperCase()}`])
}

/** For the error about a missing input: the name that another action uses for it is set. */
export function nameInOtherActions(ours: string, environment: NodeJS.ProcessEnv): Text {
  const set = namesSetFor(ours, environment)
  return set.length === 0
    ? text``
    : text`: this action reads ${code(ours)}, not ${list(set.map(code), { separator: ' or ' })}`
}

const needed = ['token', 'channels', 'files']

/**
 * A warning about inputs that are set and not read. They are no error: the variable can be set for another reason. If an
 * input that is needed is missing, its error names them.
 */
export function unreadInputs(environment: NodeJS.ProcessEnv): readonly Problem[] {
  const unread = [...new Set(Object.values(names))].flatMap((ours) => {
    const set = namesSetFor(ours, environment)
    const isInError = needed.includes(ours) && !environment[`INPUT_${ours.toUpperCase()}`]
    return set.length === 0 || isInError ? [] : [text`${list(set.map(code))} (here: ${code(ours)})`]
  })
  if (unread.length === 0) return []
  return [
    {
      title: 'Inputs of another action',
      text: text`These inputs are not read: ${join(unread, '; ')}.\nRemove them, or use the names of this action.`,
    },
  ]
}
