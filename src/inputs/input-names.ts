import { errorProblem, type Problem } from '../problem.ts'
import { isAlmost } from '../text/is-almost.ts'
import { list, type Text, text } from '../text/text.ts'

/** The inputs of `action.yml` → the value of an empty one. */
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

/** Names in other actions, without `-` and `_`. People keep them when they switch. */
const otherActions: Readonly<Partial<Record<InputName, RegExp>>> = {
  token: /(?<!github)token$/,
  channels: /^(slack)?channel(ids?)?$/,
  files: /^(file|\w*paths?)$/,
  'base-url': /^(slack)?(api)?url$/,
}

/** The runner also passes on inputs that `action.yml` does not declare. */
function undeclaredInputs(environment: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(environment)
    .filter((variable) => /^INPUT_/i.test(variable) && environment[variable])
    .map((variable) => variable.slice('INPUT_'.length).toLowerCase())
    .filter((name) => !Object.hasOwn(defaults, name))
}

function lettersOf(name: string): string {
  return name.replace(/[-_]/g, '')
}

/** The end of an error about a missing input, or nothing. */
export function hintForMissing(ours: InputName, environment: NodeJS.ProcessEnv): Text {
  const names = undeclaredInputs(environment).filter((name) =>
    otherActions[ours]?.test(lettersOf(name)),
  )
  if (names.length > 0)
    return text`: rename the input ${list(names, { separator: ' or ' })} to ${ours}`
  if (environment['INPUT_PAYLOAD'] && ours !== 'token')
    return text`: write what \`payload\` says as inputs of this action`
  // An input with a default is not missing.
  return environment[ours] && defaults[ours] === ''
    ? text`: move it from \`env:\` to \`with:\``
    : []
}

/** What these names mean stands elsewhere. */
const otherPlaces: readonly (readonly [names: RegExp, place: Text])[] = [
  [/^(if|id|env|continue-on-error)$/, text`the one of the step, outside of \`with:\``],
  [/^(exclude|ignore)s?(-\w+)?$/, text`lines with \`!\` in \`files\``],
]

/** Errors, because the step would ignore a misspelled input. */
export function misspellingErrors(environment: NodeJS.ProcessEnv): readonly Problem[] {
  return undeclaredInputs(environment).flatMap((name) => {
    const [, own] = otherPlaces.find(([names]) => names.test(name)) ?? []
    const similar =
      own ??
      Object.keys(defaults).find(
        (declared) => isAlmost(name, declared) || declared.startsWith(`${name}-`),
      )
    const isOther = Object.values(otherActions).some((names) => names.test(lettersOf(name)))
    if (similar === undefined || isOther) return []
    const explanation = text`This action has no input ${name}. Did you mean ${similar}?\nIf the workflow sets the variable ${`INPUT_${name.toUpperCase()}`} for something else, rename that variable.`
    return [errorProblem('Unknown input', explanation, 'inputs')]
  })
}
