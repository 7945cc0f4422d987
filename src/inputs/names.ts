import leven from 'leven'
import { type Problem, warning } from '../problem.ts'
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

/** Ours → names in other actions, which people keep when they switch. `-`, `_` and case make no difference. */
const otherActions: Partial<Readonly<Record<InputName, string>>> = {
  token: 'slack-token slack-bot-token slack-api-token',
  channels: 'channel channel-id channel-ids slack-channel',
  files: 'file file-path path filename',
  comment: 'initial-comment message text payload',
  'timeout-minutes': 'retries',
  'base-url': 'slack-api-url api',
}

/** They cannot replace a token. */
const webhooks = ['webhook', 'webhookurl', 'slackwebhook', 'slackwebhookurl']

interface Undeclared {
  /** As the user wrote it, but in lower case. */
  readonly name: string
  /** The input of ours that it means. */
  readonly ours: InputName
  readonly isMisspelled: boolean
}

/** The names of undeclared inputs that are set: the runner passes them on too. */
function undeclaredNames(environment: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(environment)
    .filter((variable) => /^INPUT_/i.test(variable) && environment[variable])
    .map((variable) => variable.slice('INPUT_'.length).toLowerCase())
    .filter((name) => !Object.hasOwn(defaults, name))
}

function undeclaredInputs(environment: NodeJS.ProcessEnv): readonly Undeclared[] {
  const ourNames = Object.keys(defaults) as InputName[]
  return undeclaredNames(environment).flatMap((name) => {
    const other = ourNames.find((ours) => otherActions[ours]?.split(' ').map(letters).includes(letters(name)))
    const ours = other ?? ourNames.find((declared) => isAlmost(letters(name), letters(declared)))
    return ours === undefined ? [] : [{ name, ours, isMisspelled: other === undefined }]
  })
}

function letters(name: string): string {
  return name.replace(/[-_]/g, '')
}

/** Apart from one letter, or two if the name has eight letters or more. */
function isAlmost(name: string, declared: string): boolean {
  return leven(name, declared, { maxDistance: 3 }) <= (declared.length < 8 ? 1 : 2)
}

/** For the error about a missing input: another name is set. */
export function otherNameOf(ours: InputName, environment: NodeJS.ProcessEnv): Text {
  const set = undeclaredInputs(environment).filter((undeclared) => undeclared.ours === ours)
  return set.length === 0
    ? text``
    : text`: this action reads ${code(ours)}, not ${list(
        set.map(({ name }) => code(name)),
        { separator: ' or ' },
      )}`
}

/** The inputs for a webhook URL that are set. */
export function webhooksIn(environment: NodeJS.ProcessEnv): readonly string[] {
  return undeclaredNames(environment).filter((name) => webhooks.includes(letters(name)))
}

/**
 * Problems of inputs that are set and not read. A misspelled name is an error, because the step would do something else than the
 * user wrote. The other names are a warning: the variable can be set for another reason. If a required input is missing,
 * its error names them.
 */
export function unreadInputs(environment: NodeJS.ProcessEnv): readonly Problem[] {
  const isRequired = (ours: InputName) => ours === 'token' || ours === 'channels' || ours === 'files'
  const isMissing = (ours: InputName) => isRequired(ours) && !environment[`INPUT_${ours.toUpperCase()}`]
  const undeclared = undeclaredInputs(environment).filter(({ ours }) => !isMissing(ours))
  const isError = ({ isMisspelled, ours }: Undeclared) => isMisspelled && !isRequired(ours)
  const groups = Map.groupBy(
    undeclared.filter((input) => !isError(input)),
    ({ ours }) => ours,
  )
  const unread = Array.from(
    groups,
    ([ours, set]) => text`${list(set.map(({ name }) => code(name)))} (here: ${code(ours)})`,
  )
  const forWebhooks = isMissing('token') ? [] : webhooksIn(environment)
  if (forWebhooks.length > 0) unread.push(text`${list(forWebhooks.map(code))} (a webhook cannot upload files)`)
  const explanation = text`These inputs are not read: ${join(unread, '; ')}.\nRemove them, or use the names of this action.`
  const warnings = unread.length === 0 ? [] : [warning('Inputs of another action', explanation)]
  return [...undeclared.filter(isError).map(misspelling), ...warnings]
}

function misspelling({ name, ours }: Undeclared): Problem {
  return {
    title: text`Unknown input: ${code(name)}`,
    text: text`This action has no input ${code(name)}. Did you mean ${code(ours)}?\nIf the workflow sets the variable ${`INPUT_${name.toUpperCase()}`} for something else, give the variable another name.`,
  }
}
