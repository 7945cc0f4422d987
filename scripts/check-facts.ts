// npm run check:facts compares Slack's reference and the commits of the actions in use with their
// sources on GitHub, and fails with the differences. Needs git.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adviceFor } from '../src/service/errors/error-codes.ts'

/** Method → arguments that the action sends, and the scope. */
const methods: Readonly<Record<string, readonly [args: string, scope?: string]>> = {
  'auth.test': [''],
  'chat.getPermalink': ['channel message_ts'],
  'chat.postMessage': ['channel text blocks thread_ts unfurl_links unfurl_media', 'chat:write'],
  'conversations.info': ['channel', 'channels:read'],
  'conversations.open': ['users prevent_creation', 'im:write'],
  'files.completeUploadExternal': ['files channels channel_id blocks thread_ts', 'files:write'],
  'files.getUploadURLExternal': ['filename length', 'files:write'],
  'files.info': ['file', 'files:read'],
  'users.conversations': ['types exclude_archived limit cursor team_id', 'channels:read'],
}
// About arguments that the action does not send, and files that it only looks up.
const needsNoText =
  /^((alt_txt|attachment|canvas|draft|duplicate|metadata|snippet|too_many|unknown)_.*|invalid_(cursor|limit|types|user|metadata).*|slack_connect_(canvas|file_link|lists)_.*|as_user_not_supported|app_access_restricted|file_deleted|markdown_text_conflict|message_not_found|missing_file_data|not_enough_users|(template_)?not_visible|send_on_behalf_not_allowed|team_not_found)$/

/** As https://github.com/slack-ruby/slack-api-ref describes a method. */
export interface Reference {
  readonly scope: { readonly bot?: readonly string[] }
  readonly args: { readonly properties: object }
  readonly errors: object
}
export type Difference = Readonly<Record<'fact' | 'here' | 'there', string>>

const compare = (fact: string, here: string, there = 'none'): Difference[] =>
  here === there ? [] : [{ fact, here, there }]

export function methodDifferences(name: string, { args, errors, scope }: Reference): Difference[] {
  const [sent = '', needed = ''] = methods[name] ?? []
  const unknown = sent
    .split(' ')
    .filter((arg) => arg !== '' && !Object.hasOwn(args.properties, arg))
  const codes = Object.keys(errors).filter(
    (code) => adviceFor(code).codes.length === 0 && !needsNoText.test(code),
  )
  return [
    ...unknown.flatMap((arg) => compare(`${name}: argument`, arg)),
    ...(needed === '' || scope.bot?.includes(needed)
      ? []
      : compare(`${name}: scope`, needed, scope.bot?.join(' '))),
    ...codes.flatMap((code) => compare(`${name}: error code`, 'no text', code)),
  ]
}

/**
 * @param step the `uses:` of a workflow
 * @param tags of the action's repository, as `git ls-remote` prints them
 */
export function actionDifferences(step: string, tags: string): Difference[] {
  const [, action = '', sha = '', version = ''] = /(\S+)@(\w+) # (v\S+)/.exec(step) ?? []
  const commits = new Map(
    [...tags.matchAll(/^(\w+)\s+refs\/tags\/(v\d+\.\d+\.\d+)(?:\^\{\})?$/gm)].map(([, a, b]) => [
      b,
      a,
    ]),
  )
  return compare(`${action}: commit of ${version}`, sha, commits.get(version))
}

if (import.meta.main) {
  const git = (...args: readonly string[]) => execFileSync('git', args, { encoding: 'utf8' })
  const tagsOf = (name: string) => git('ls-remote', '--tags', `https://github.com/${name}`)
  const folder = mkdtempSync(join(tmpdir(), 'facts-'))
  git('clone', '--quiet', '--depth=1', 'https://github.com/slack-ruby/slack-api-ref', folder)
  const read = (name: string) =>
    JSON.parse(readFileSync(join(folder, `docs.slack.dev/methods/${name}.json`), 'utf8'))
  const texts = globSync('{.github,examples}/workflows/*.yml').map((path) =>
    readFileSync(path, 'utf8'),
  )
  const steps = new Set(texts.join('').match(/(?<=uses: )\S+@[0-9a-f]{40} # v\S+/g))
  const found = [
    ...Object.keys(methods).flatMap((name) => methodDifferences(name, read(name))),
    ...[...steps].flatMap((step) =>
      actionDifferences(step, tagsOf(/[^/]+\/[^/@]+/.exec(step)?.[0] ?? '')),
    ),
  ]
  console.log(
    `Slack's reference is the copy of ${git('-C', folder, 'log', '-1', '--format=%cs').trim()}.`,
  )
  rmSync(folder, { recursive: true })
  console.table(found)
  if (found.length > 0) process.exitCode = 1
}
