import leven from 'leven'
import type { Problem } from '../problem.ts'
import { code, list, type Text, text } from '../text/text.ts'

/** The inputs that `action.yml` declares → what an empty one means. */
export const defaults = {
  token: '',
  channels: '',
  files: '',
  comment: '{files} from {source}',
  title: '{name}',
  'comment-format': 'mrkdwn',
  'allow-broadcast': 'false',
  'thread-ts': '',
  method: 'auto',
  'base-url': 'https://slack.com',
  'working-directory': '',
  'if-no-files-found': 'error',
  'include-hidden-files': 'false',
  'max-files': '50',
  'if-not-confirmed': 'error',
  'timeout-minutes': '10',
  'dry-run': 'false',
}

export type InputName = keyof typeof defaults
const inputNames = Object.keys(defaults) as InputName[]

/** An input, or a webhook URL, which cannot replace a token. */
type Meant = InputName | 'webhook'

/** What is ours → its names in other actions, which people keep when they switch. `-`, `_` and case make no difference. */
const otherActions: readonly (readonly [Meant, names: string])[] = [
  ['token', 'slack-token slack-bot-token slack-api-token'],
  ['channels', 'channel channel-id channel-ids slack-channel'],
  ['files', 'file file-path path'],
  ['comment', 'initial-comment message text'],
  ['webhook', 'webhook webhook-url slack-webhook slack-webhook-url'],
]

/** The inputs that are set and that `action.yml` does not declare: the runner passes them on too, their names in lower case. */
function undeclaredInputs() {
  return Object.keys(process.env)
    .filter((variable) => /^INPUT_/i.test(variable) && process.env[variable])
    .map((variable) => variable.slice('INPUT_'.length).toLowerCase())
    .filter((name) => !Object.hasOwn(defaults, name))
    .flatMap((name) => {
      const [other] = otherActions.find(([, names]) => names.split(' ').map(letters).includes(letters(name))) ?? []
      const meant = other ?? inputNames.find((declared) => isAlmost(letters(name), letters(declared)))
      return meant === undefined ? [] : [{ name, meant, isMisspelled: other === undefined }]
    })
}

function letters(name: string): string {
  return name.replace(/[-_]/g, '')
}

/** Apart from one letter, or two if the name has eight letters or more. */
export function isAlmost(name: string, declared: string): boolean {
  return leven(name, declared) <= (declared.length < 8 ? 1 : 2)
}

/** The names that are set in place of ours. */
export function otherNames(meant: Meant): readonly Text[] {
  return undeclaredInputs().flatMap((input) => (input.meant === meant ? [code(input.name)] : []))
}

/** For the error about a missing input: another name is set. */
export function otherNameOf(ours: InputName): Text {
  const names = otherNames(ours)
  return names.length === 0 ? [] : text`: rename the input ${list(names, { separator: ' or ' })} to ${code(ours)}`
}

/**
 * An error for each misspelled input, because the step would do something else than the user wrote. The runner itself warns of
 * inputs that are not declared, and the error about a missing one names what is set in its place.
 */
export function misspelledInputs(): readonly Problem[] {
  return undeclaredInputs()
    .filter(({ isMisspelled, meant }) => isMisspelled && !['token', 'channels', 'files'].includes(meant))
    .map(({ meant, name }) => ({
      title: text`Unknown input: ${code(name)}`,
      text: text`This action has no input ${code(name)}. Did you mean ${code(meant)}?\nIf the workflow sets the variable ${`INPUT_${name.toUpperCase()}`} for something else, give the variable another name.`,
    }))
}
