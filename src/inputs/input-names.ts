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

/** What other actions call an input, which people keep when they switch, without `-` and `_`. */
const otherActions: Readonly<Partial<Record<InputName, RegExp>>> = {
  token: /^slack(bot|api)?token$/,
  channels: /^(slack)?channel(ids?)?$/,
  files: /^(file(path)?|path)$/,
  comment: /^(initialcomment|message|text)$/,
}

/** The inputs that are set and that `action.yml` does not declare: the runner passes them on too, their names in lower case. */
function undeclaredInputs(): readonly string[] {
  return Object.keys(process.env)
    .filter((variable) => /^INPUT_/i.test(variable) && process.env[variable])
    .map((variable) => variable.slice('INPUT_'.length).toLowerCase())
    .filter((name) => !Object.hasOwn(defaults, name))
}

function letters(name: string): string {
  return name.replace(/[-_]/g, '')
}

/** Apart from one letter, or two if the name has eight letters or more. */
export function isAlmost(name: string, declared: string): boolean {
  return leven(name, declared) <= (declared.length < 8 ? 1 : 2)
}

/** For the error about a missing input: what is set in its place. */
export function otherNameOf(ours: InputName): Text {
  const names = undeclaredInputs().filter((name) => otherActions[ours]?.test(letters(name)))
  if (names.length > 0) return text`: rename the input ${list(names, { separator: ' or ' })} to ${code(ours)}`
  // A variable with the name of an input that has a default may be there for something else.
  return process.env[ours] && defaults[ours] === ''
    ? text`: write it below ${code('with:')}, not below ${code('env:')}`
    : []
}

/** An error for each misspelled input, because the step would do something else than the user wrote. */
export function misspelledInputs(): readonly Problem[] {
  return undeclaredInputs().flatMap((name) => {
    const meant = inputNames.find((declared) => isAlmost(letters(name), letters(declared)))
    const isOther = Object.values(otherActions).some((names) => names.test(letters(name)))
    if (meant === undefined || isOther) return []
    const explanation = text`This action has no input ${code(name)}. Did you mean ${code(meant)}?\nIf the workflow sets the variable ${`INPUT_${name.toUpperCase()}`} for something else, give the variable another name.`
    return [{ title: text`Unknown input: ${code(name)}`, text: explanation }]
  })
}
