import leven from 'leven'
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

const ourNames = Object.keys(defaults) as InputName[]

/** Inputs of other actions that people keep when they switch → ours. */
const otherActions: Readonly<Record<string, InputName>> = {
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
  initial_comment: 'comment',
  'initial-comment': 'comment',
  message: 'comment',
  text: 'comment',
  payload: 'comment',
  retries: 'timeout-minutes',
  slack_api_url: 'base-url',
  api: 'base-url',
}

/** They cannot replace a token. */
const webhooks = ['webhook', 'webhook-url', 'webhook_url', 'slack_webhook', 'slack_webhook_url']

/** The undeclared inputs that are set, in lower case: the runner passes them on too. */
function undeclaredInputs(environment: NodeJS.ProcessEnv): readonly string[] {
  const set = Object.keys(environment).filter((variable) => /^INPUT_/i.test(variable) && environment[variable])
  return set
    .map((variable) => variable.slice('INPUT_'.length).toLowerCase())
    .filter((name) => !Object.hasOwn(defaults, name))
}

/** Our name that is spelled like this, apart from `-` and `_` and one letter, or two if it has eight letters or more. */
function misspelled(name: string): InputName | undefined {
  const letters = (from: string) => from.replace(/[-_]/g, '')
  return ourNames.find((ours) => {
    const { length } = letters(ours)
    return leven(letters(name), letters(ours), { maxDistance: 3 }) <= (length < 8 ? 1 : 2)
  })
}

/** The undeclared inputs that are set and mean our input `ours`. */
function namesSetFor(ours: InputName, environment: NodeJS.ProcessEnv): readonly string[] {
  return undeclaredInputs(environment).filter((name) => (otherActions[name] ?? misspelled(name)) === ours)
}

/** For the error about a missing input: another name is set. */
export function otherNameOf(ours: InputName, environment: NodeJS.ProcessEnv): Text {
  const set = namesSetFor(ours, environment)
  return set.length === 0
    ? text``
    : text`: this action reads ${code(ours)}, not ${list(set.map(code), { separator: ' or ' })}`
}

/** The inputs for a webhook URL that are set. */
export function webhooksIn(environment: NodeJS.ProcessEnv): readonly string[] {
  return undeclaredInputs(environment).filter((name) => webhooks.includes(name))
}

const required: readonly InputName[] = ['token', 'channels', 'files']

/**
 * Problems of inputs that are set and not read. A misspelled name is an error, because the step would do something else than the
 * user wrote. The other names are a warning: the variable can be set for another reason. If a required input is missing,
 * its error names them.
 */
export function unreadInputs(environment: NodeJS.ProcessEnv): readonly Problem[] {
  const isSet = (ours: InputName) => Boolean(environment[`INPUT_${ours.toUpperCase()}`])
  const ofOtherActions = ourNames.flatMap((ours) => {
    const set = namesSetFor(ours, environment).filter((name) => required.includes(ours) || name in otherActions)
    const isInError = required.includes(ours) && !isSet(ours)
    return set.length === 0 || isInError ? [] : [text`${list(set.map(code))} (here: ${code(ours)})`]
  })
  const forWebhooks = isSet('token') ? webhooksIn(environment) : []
  if (forWebhooks.length > 0) ofOtherActions.push(text`${list(forWebhooks.map(code))} (a webhook cannot upload files)`)
  const misspellings = undeclaredInputs(environment).flatMap((name): readonly Problem[] => {
    const ours = name in otherActions ? undefined : misspelled(name)
    return ours === undefined || required.includes(ours) ? [] : [misspelling(name, ours)]
  })
  if (ofOtherActions.length === 0) return misspellings
  const warning: Problem = {
    level: 'warning',
    title: 'Inputs of another action',
    text: text`These inputs are not read: ${join(ofOtherActions, '; ')}.\nRemove them, or use the names of this action.`,
  }
  return [...misspellings, warning]
}

function misspelling(name: string, ours: InputName): Problem {
  const variable = `INPUT_${name.toUpperCase()}`
  return {
    title: text`Unknown input: ${code(name)}`,
    text: text`This action has no input ${code(name)}. Did you mean ${code(ours)}?\nIf the workflow sets the variable ${code(variable)} for something else, give the variable another name.`,
  }
}
