import { isSlack, mayBePrivate } from '../hosts.ts'
import { isAlmost } from '../text/is-almost.ts'
import { list, showValue, type Text, text } from '../text/text.ts'
import { hintForMissing } from './input-names.ts'

/** What is wrong with a value, and what to write, after the input's name: `is empty. Write …`. */
export type Rule = (value: string) => Text | undefined

export function choiceProblem(value: string, choices: readonly string[]): Text | undefined {
  if (choices.includes(value)) return undefined
  const stem = value.toLowerCase().replace(/(ing|ed)?s?$/, '')
  const similar = choices.find((choice) => isAlmost(stem, choice))
  return text`is ${showValue(value)}. Write ${similar ?? text`one of ${list(choices)}`}.`
}

function formRule(form: RegExp, right: Text): Rule {
  return (value) => (form.test(value) ? undefined : text`is ${showValue(value)}. Write ${right}.`)
}

/** As YAML 1.2 writes booleans. */
export const flagRule = formRule(
  /^(true|True|TRUE|false|False|FALSE)$/,
  text`\`true\` or \`false\``,
)
export const maxFilesRule = formRule(
  /^[1-9]\d{0,5}$/,
  text`a whole number from 1 to 999999, like \`50\``,
)
export const timeoutRule = formRule(
  /^(?=.*[1-9])\d{1,3}(\.\d+)?$/,
  text`a number of minutes above 0 and below 1000, like \`10\` or \`0.5\``,
)

/** @param onSlack Slack no longer has `files.upload` */
export function methodProblem(value: string, onSlack: boolean): Text | undefined {
  // `files.uploadV2` and `files.getUploadURLExternal` mean `external`.
  return /upload_?v2$|.external$/i.test(value) || (onSlack && isAlmost(value, 'files.upload'))
    ? text`is ${showValue(value)}. Write \`external\`, the only upload that Slack still offers.`
    : undefined
}

/** For `if-no-files-found`. */
export function commentAloneProblem(
  value: string,
  method: string,
  comment: string,
): Text | undefined {
  if (value !== 'comment' || (method === 'external' && comment !== '')) return undefined
  const why =
    comment === '' ? text`there is no comment` : text`${method} can't post a comment without a file`
  return text`is ${showValue(value)}, but ${why}. Write \`if-no-files-found: warn\`.`
}

/** @param ifNoFilesFound unless it is `error`, the value may be empty */
export function filesProblem(value: string, ifNoFilesFound: string): Text | undefined {
  return ifNoFilesFound === 'error' && value.split('\n').every((line) => /^\s*(#.*)?$/.test(line))
    ? text`is empty. Write one pattern per line, like \`reports/**/*.csv\`.\nIf an expression can be empty here, add \`if: steps.ID.outputs.NAME != ''\` to this step, or set \`if-no-files-found: warn\`. To post only text to Slack, set \`if-no-files-found: comment\`.`
    : undefined
}

/** @param onSlack Slack's tokens have known forms */
export function tokenProblem(
  token: string,
  onSlack: boolean,
  environment: NodeJS.ProcessEnv,
): Text | undefined {
  if (token === '') return missingToken(environment)
  if (/^(https?:\/\/|hooks\.slack\.com\/)/i.test(token)) {
    return text`is a URL. Webhooks can't upload files: use ${accessToken}.`
  }
  if (/[^\x21-\x7e]/.test(token)) {
    return text`contains white space, a line break or another character that no token has. Store only the token in the secret, without \`Bearer\`.`
  }
  // https://docs.slack.dev/authentication/tokens/
  if (!onSlack) return undefined
  if (/^(xapp|xoxe)-/.test(token)) {
    return text`is an app-level or refresh token, which can't upload files. Use the Bot User OAuth Token: \`xoxb-…\`, or \`xoxe.xoxb-…\` with token rotation.`
  }
  if (/^(xoxe\.)?xox[a-z]-$/.test(token)) {
    return text`is cut off: it ends where the secret part begins. Store the whole token in the secret again.`
  }
  if (/^xox[a-z][-.]/.test(token)) return undefined
  const isElsewhere = hintForMissing('base-url', environment)
  if (isElsewhere.length > 0) return text`is not for Slack${isElsewhere}.`
  return text`doesn't look like a Slack token (\`xoxb-…\`). Store the Bot User OAuth Token (app settings, OAuth & Permissions) in the secret, without quotes, and write \`\${{ secrets.NAME }}\` with your secret's name.`
}

const accessToken = text`an access token, on Slack the Bot User OAuth Token (\`xoxb-…\`) of an app with the scope \`files:write\``

function missingToken(environment: NodeJS.ProcessEnv): Text {
  const setVariable = (form: RegExp) =>
    Object.keys(environment).find((name) => form.test(name) && environment[name])
  if (setVariable(/^INPUT_(SLACK.)?WEBHOOK/i)) {
    return text`is empty, and a webhook can't replace it: webhooks can't upload files. Use ${accessToken}.`
  }
  const variable = setVariable(/^SLACK\w*TOKEN$/i)
  if (variable !== undefined) {
    return text`is empty. The variable ${variable} is set, but this action reads only the input: write \`token: \${{ secrets.SLACK_BOT_TOKEN }}\` below \`with:\`, with your secret's name.`
  }
  return text`is empty. Does the secret exist in this repository or organization, and can this workflow read it? Write \`\${{ secrets.SLACK_BOT_TOKEN }}\` with your secret's name.\nIn a reusable workflow, the caller must pass the secret, for example with \`secrets: inherit\`. To read an environment secret, the job needs \`environment:\`.`
}

export const baseUrlRule: Rule = (value) => {
  const url = /^https?:\/\//i.test(value) ? URL.parse(value) : null
  // Hide a password before @, and a secret after ? or #.
  const shown = showValue(
    value.replace(/^([a-z]+:\/\/)?.*@/is, '$1…@').replace(/(?<=[?#]).*/s, '…'),
  )
  if (url === null) {
    return text`is ${shown}, not a complete URL. Write one like \`https://chat.example.com\` or \`http://127.0.0.1:8065\`.`
  }
  const { host, hostname, href, pathname, protocol } = url
  // Hosts of webhooks and of pages for people.
  if (/^(hooks|app|api)\.slack\.com$/.test(hostname)) {
    return text`has the host ${hostname}, which accepts no files. Write \`https://slack.com\`.`
  }
  if (/^(0\.0\.0\.0|\[::\])$/.test(hostname)) {
    return text`has the host ${hostname}, which is no address of a server. Write \`localhost\`.`
  }
  const mayBePlain = mayBePrivate(hostname) && !isSlack(hostname)
  // The lookbehind keeps the time linear. Only the first of many slashes is tried.
  const path = pathname.replace(/(?<!\/)\/+api(\/[^/]*)?\/*$/, '')
  const right = `${mayBePlain ? protocol : 'https:'}//${host}${path}`
  return href === right
    ? undefined
    : text`is ${shown}. Write ${right.replace(/\/$/, '')}: with https (http only in a private network), and without a user, \`/api\`, a query or a fragment.`
}
