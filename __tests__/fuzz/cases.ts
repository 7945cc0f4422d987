// A fuzzing case is data only, the same for the same seed.
import fc, { anyString } from '../support/fast-check.ts'
import { attacks } from '../support/report-runs.ts'
import type { Reaction } from './hostile-server.ts'
import { mutate } from './mutate.ts'

type Generated<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never

/** Texts with a meaning to the runner, GitHub, Slack, a shell, JavaScript, a disk or a pattern. */
const specialTexts = [
  ...attacks,
  ..."{files} {source} { }} ` ``` ' ; .. ../.. / // . ~ C:\\x \\ con -rf .env id_rsa a.pem __proto__ undefined NaN 1e999 -1 true $TOKEN"
    .concat(
      ' * ** **/* ? [ [a- [!a] {a,b} {1..9} !(a) ! !! # $(id) http://[ file:///etc/passwd data:,x',
    )
    .split(' '),
  ...[
    'https://hooks.slack.com/x',
    '${{ x }}',
    ' ',
    '\t',
    '\ufeff',
    '\u2028',
    '\u0085',
    'e\u0301',
    '\ud800',
    '👩‍👩‍👧',
  ],
]

const special = fc.constantFrom(...specialTexts)
const anyText: fc.Arbitrary<string> = either(
  [4, special],
  [3, fc.string({ unit: 'grapheme', maxLength: 30 })],
  [2, anyString({ maxLength: 30 })],
  [3, fc.array(special, { maxLength: 6 }).map((some) => some.join(''))],
  [1, fc.tuple(special, from(1, 4_000)).map(([one, times]) => one.repeat(times))],
)
/** Arguments and environment variables cannot hold a NUL. */
const environmentText = anyText.map((text) => text.replaceAll('\0', '').slice(0, 30_000))

const segment = either(
  [3, fc.constantFrom(...'a b reports sub a.csv b.csv x.txt .hidden é.csv'.split(' '))],
  // Nothing is written above the workspace.
  [2, anyText.map((text) => text.replaceAll(/[/\0]|^\.\.$/g, '_').slice(0, 80) || '_')],
)
const bytes = either(
  [6, from(0, 100)],
  [2, fc.constantFrom(0, 1, 65_535, 65_536, 1_048_575, 1_048_576, 1_048_577)],
  [1, from(0, 40_000_000)],
)
/** A file, folder or link in the workspace, unless the disk refuses its path. */
const entry = fc.record({
  path: fc.array(segment, { minLength: 1, maxLength: 4 }),
  kind: weighted({ file: 20, folder: 1, link: 2, pipe: 1, 'bytes in the name': 1 }),
  bytes,
  holds: weighted({ text: 80, zeros: 20, 'the token': 1 }),
  // Of a link.
  target: fc.oneof(
    fc.constantFrom(...'. .. a a.csv ../a /etc /etc/hostname nowhere /dev/zero'.split(' ')),
    anyText.map((text) => text.replaceAll('\0', '_') || '_'),
  ),
})
/** A line of `files`: text, or an entry's path with something around it. */
const path = fc.record({
  before: weighted({ '': 10, '!': 1, './': 1 }),
  entry: fc.nat(50),
  after: weighted({ '': 4, '/**': 1, '*': 1, '/': 1 }),
})
const wildcard = fc.record({
  before: fc.constantFrom(...'** * **/*.csv reports/** */* . **/*'.split(' ')),
  entry: fc.constant(null),
  after: fc.constant(''),
})
const strangeLine = fc.record({
  before: environmentText,
  entry: fc.option(fc.nat(50)),
  after: environmentText,
})
const patterns: fc.Arbitrary<readonly Generated<typeof strangeLine>[]> = either(
  [3, fc.constant([{ before: '**', entry: null, after: '' }])],
  [3, fc.array(fc.oneof(wildcard, path), { minLength: 1, maxLength: 3 })],
  [2, fc.array(fc.oneof(wildcard, path, strangeLine), { maxLength: 6 })],
)

export const choices: Readonly<Record<string, readonly string[]>> = {
  comment: [
    '',
    'none',
    '{files} from {source}',
    '*Report* {files}',
    '<!channel> look',
    'x'.repeat(5_000),
  ],
  title: ['', '', '{name}', '{path} of {source}', '*{name}*'],
  'comment-format': ['mrkdwn', 'plain'],
  'allow-broadcast': ['true', 'false'],
  'thread-ts': ['', '', '', '', '', '', '1760688662.900279'],
  method: ['auto', 'external', 'files.upload'],
  'working-directory': ['', '', '', '', '.', '.', '.', '.', 'reports'],
  'if-no-files-found': ['error', 'warn', 'ignore'],
  'include-hidden-files': ['true', 'false'],
  'max-files': ['1', '50', '50', '5000', '5000'],
  'if-not-confirmed': ['error', 'warn', 'ignore'],
  'dry-run': ['false', 'false', 'true'],
}
const optionalInputs = Object.fromEntries(
  Object.entries(choices).map(([name, values]) => [name, fc.constantFrom(...values)]),
)
const inputs = fc
  .tuple(
    fc.record(optionalInputs, { requiredKeys: [] }),
    // One invalid input ends the run early, so most cases have none.
    either(
      [12, fc.constant({})],
      [3, fc.dictionary(fc.constantFrom(...Object.keys(choices)), environmentText, { maxKeys: 2 })],
      [1, fc.constant({ comment: '$TOKEN' })],
    ),
    fc.constantFrom('0.02', '0.03', '0.05', '0.05', '0.1', '0.2'),
  )
  .map(([usual, strange, timeout]) => ({ ...usual, ...strange, 'timeout-minutes': timeout }))

/** JSON as it may come from outside, and as it should not. */
const anyJson: fc.Arbitrary<unknown> = either(
  [3, fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, '', [], {}, [[]], { ok: true })],
  [3, anyText],
  [1, fc.jsonValue({ maxDepth: 3 })],
  [1, from(1, 20_000).map((length) => Array.from({ length }, () => 'x'))],
  [1, from(1, 3_000).map(nested)],
)
const mutations = fc.array(
  fc.record({ node: fc.nat(100), value: fc.option(anyJson, { freq: 5 }) }),
  { maxLength: 3 },
)

const status = either(
  [6, fc.constant(200)],
  [
    3,
    fc.constantFrom(
      ...'201 204 206 301 302 307 400 401 403 404 405 408 410 413 429 500 502 503 504 599'
        .split(' ')
        .map(Number),
    ),
  ],
  [1, from(100, 999)],
)
const usualHeaders = `
retry-after: 0
retry-after: 99999
retry-after: x
retry-after: -1
retry-after: 99999999999999999999
retry-after: Thu, 01 Jan 1970 00:00:00 GMT
retry-after: Fri, 31 Dec 9999 23:59:59 GMT
content-encoding: gzip
content-type: text/html
content-type: application/json; charset=utf-16
content-type: x; charset=nothing
location: http://127.0.0.1:1/$TOKEN
x-slack-req-id: $TOKEN
x-oauth-scopes: files:write,$TOKEN
date: x
date: Thu, 01 Jan 1970 00:00:00 GMT
upgrade: h2c
transfer-encoding: chunked
content-length: 5
content-length: -1
connection: close
: empty
x
`
const headerLine = fc.oneof(
  fc.constantFrom(...usualHeaders.trim().split('\n')),
  anyText.map((text) => `x-slack-req-id: ${text}`),
  from(1, 20_000).map((length) => `x-long: ${'y'.repeat(length)}`),
)
const someError = fc.constantFrom(
  ...'ratelimited internal_error not_in_channel file_not_found missing_scope method_deprecated invalid_auth'.split(
    ' ',
  ),
)
const refusal = fc.record(
  {
    ok: fc.constantFrom(false, true, 'no', null),
    error: fc.oneof(anyText, someError),
    needed: anyJson,
    response_metadata: fc.record({ messages: anyJson }),
  },
  { requiredKeys: ['ok'] },
)
const start = fc.constantFrom('{"ok":true,"x":"', '{"ok":false,"error":"', '<title>', '[[[', '')
const reaction: fc.Arbitrary<Reaction> = fc.record({
  early: weighted({ false: 15, true: 1 }).map((text) => text === 'true'),
  delay: either([5, fc.constant(0)], [1, from(1, 2_000)]),
  informs: either(
    [9, fc.constant([])],
    [1, fc.array(fc.constantFrom(100, 102, 103), { maxLength: 9 })],
  ),
  status,
  headers: either(
    [4, fc.constant([])],
    [2, fc.array(headerLine, { maxLength: 3 })],
    [1, fc.array(headerLine, { minLength: 50, maxLength: 200 })],
  ),
  body: either(
    [12, kind('usual', { mutations })],
    [4, kind('json', { json: refusal })],
    [1, kind('text', { text: anyText })],
    [1, kind('text', { text: anyText.map((text) => `<!doctype html><title>${text}</title>`) })],
    [1, kind('megabytes', { megabytes: from(1, 30), start })],
  ),
  ending: weighted({
    complete: 30,
    compressed: 1,
    trailers: 1,
    reset: 2,
    'cut off': 2,
    'no response': 1,
    endless: 1,
    'not HTTP': 1,
  }),
})

const repository = { full_name: 'octo-org/octo-repo', owner: { login: 'octo-org' } }
const events = {
  workflow_dispatch: { inputs: {}, repository },
  push: { ref: 'refs/heads/main', repository, head_commit: { id: 'a', message: 'm' } },
  pull_request: {
    action: 'opened',
    pull_request: { number: 7, head: { ref: 'x', repo: repository }, base: { repo: repository } },
  },
  release: { action: 'published', release: { tag_name: 'v1', html_url: 'https://x.example/v1' } },
  workflow_run: { workflow_run: { id: 1, head_branch: 'x', head_repository: repository } },
}
const mutatedEvent = fc
  .tuple(fc.constantFrom(...Object.values(events)), mutations)
  .map(([json, changes]) => mutate(json, changes))
const event = either(
  [8, mutatedEvent.map((json) => JSON.stringify(json))],
  [1, anyJson.map((json) => JSON.stringify(json))],
  [1, fc.constantFrom('', '{"release": ', 'x')],
)
const env = either(
  [6, fc.constant({})],
  [1, fc.constant({ RUNNER_DEBUG: '1' })],
  [
    1,
    fc.dictionary(
      fc.constantFrom('GITHUB_REF', 'GITHUB_REPOSITORY', 'https_proxy'),
      environmentText,
    ),
  ],
)

/** Indexes of the sandbox's channels, or any text. */
const channels: fc.Arbitrary<readonly (number | string)[]> = either(
  [3, fc.constant([0])],
  [3, fc.array(fc.nat(4), { minLength: 1, maxLength: 5 })],
  [
    1,
    fc.constantFrom<(number | string)[]>(
      ['#general'],
      [0, '#General', '#releases'],
      ['#c-1', '#private', '#none'],
    ),
  ],
  [1, fc.array(fc.oneof(fc.nat(12), environmentText), { maxLength: 20 })],
)

const fuzzCase = fc.record({
  // Without faults, which random deliveries have.
  service: fc.oneof(
    kind('sandbox', {}),
    kind('hostile', {
      reactions: fc.array(reaction, { minLength: 1, maxLength: 8 }),
      host: weighted({ '127.0.0.1': 3, 'changing.example': 1 }),
    }),
  ),
  entries: fc.array(entry, { maxLength: 15 }),
  // `patterns` are the lines of `files`.
  inputs,
  patterns,
  channels,
  token: either(
    [
      14,
      fc.record({ kind: weighted({ all: 12, files: 6, uploadOnly: 6, noScopes: 1, revoked: 1 }) }),
    ],
    [1, fc.record({ text: environmentText.map((text) => text.replaceAll('$TOKEN', '')) })],
  ),
  eventName: either([9, fc.constantFrom(...Object.keys(events))], [1, environmentText]),
  // The content of the event file.
  event,
  env,
  // Milliseconds after the first line of the log.
  cancelAfter: either([10, fc.constant(null)], [1, fc.nat(3_000)]),
})

export type Entry = Generated<typeof entry>
export type FuzzCase = Generated<typeof fuzzCase>

export function caseOf(seed: number): FuzzCase {
  const [only] = fc.sample(fuzzCase, { seed, numRuns: 1, unbiased: true })
  if (only === undefined) throw new Error('fast-check made no case')
  return only
}

function nested(depth: number): unknown {
  let json: unknown = 'x'
  for (let level = 0; level < depth; level += 1) json = level % 2 === 0 ? [json] : { a: json }
  return json
}

/** One of the choices, by weight. */
function either<T extends readonly unknown[]>(
  ...choices: { readonly [At in keyof T]: readonly [weight: number, fc.Arbitrary<T[At]>] }
): fc.Arbitrary<T[number]> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
}

function weighted<T extends string>(weights: Readonly<Record<T, number>>): fc.Arbitrary<T> {
  const entries = Object.entries<number>(weights) as [T, number][]
  return either(...entries.map(([value, weight]) => [weight, fc.constant(value)] as const))
}

/** Both ends included. */
function from(min: number, max: number): fc.Arbitrary<number> {
  return fc.integer({ min, max })
}

/** A member of a union. */
function kind<Kind extends string, More extends object>(
  name: Kind,
  more: { readonly [Name in keyof More]: fc.Arbitrary<More[Name]> },
): fc.Arbitrary<{ readonly kind: Kind } & More> {
  return fc.record<More>(more as never).map((values) => ({ kind: name, ...values }))
}
