// The token is masked first, and appears only on that line. See `unit/service/http/http.test.ts`
// for ways to quote it in a response.
import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import type { Body, Fault, FaultRule } from '../../sandbox/faults.ts'
import { leaked } from '../support/shown-log.ts'
import { type Done, runStep, type Step } from '../support/step.ts'

const token = `xoxb-${randomBytes(18).toString('hex')}`

/** A step with this token and these faults, by the external upload. */
function run(step: Step & { readonly rules?: readonly FaultRule[] }): Promise<Done> {
  const { inputs, prepare, rules = [], ...others } = step
  return runStep({
    env: { RUNNER_DEBUG: '1' },
    ...others,
    inputs: { method: 'external', token, ...(typeof inputs === 'object' ? inputs : {}) },
    prepare(sandbox, folder) {
      const { faults, tokens, workspace } = sandbox
      const known = workspace.settings.tokens.get(tokens.all)
      workspace.set({ tokens: new Map(known && [[token, known]]) })
      faults.add(...rules)
      return prepare?.(sandbox, folder)
    },
  })
}

const responds = (
  on: FaultRule['on'],
  body: Body,
  more: Partial<Fault & { kind: 'response' }> = {},
): FaultRule => ({
  on,
  fault: { kind: 'response', status: 200, body, ...more },
})

const redirects = (on: FaultRule['on'], location: string, call?: number): FaultRule => ({
  on,
  ...(call && { call }),
  fault: { kind: 'redirect', status: 307, location },
})

const uploadUrl = 'files.getUploadURLExternal'
const classic = { method: 'files.upload' }
const short = { 'timeout-minutes': '0.01' }
const [first = '', ...rest] = token
const metadata = { response_metadata: { messages: [`Bearer ${token}`, 'x'.repeat(280) + token] } }
const headers = { 'x-slack-req-id': token }
const repeatsAll = responds(
  '*',
  { json: { ok: false, error: token, ...metadata } },
  { status: 400, headers },
)
const pageRepeatsAll = responds('*', { html: `<html><title>${token}</title>` })
const splitUrl = `https://${token.slice(0, 9)}\t${token.slice(9)}.invalid/upload/1`
const release = { tag_name: 'v1', name: `Spring ${token}`, html_url: `https://github.com/${token}` }
const situations: readonly (readonly [
  situation: string,
  status: string,
  step: Parameters<typeof run>[0],
])[] = [
  ['files are posted by the external upload', 'posted', {}],
  ['files are posted by files.upload', 'posted', { inputs: classic }],
  ['nothing is sent but everything checked', 'dry-run', { inputs: { 'dry-run': 'true' } }],
  [
    'the token is unknown',
    'failed',
    { prepare: ({ workspace }) => workspace.set({ tokens: new Map() }) },
  ],
  [
    'base-url and channels hold it, and an input is refused',
    'failed',
    {
      inputs: {
        method: 'none',
        'base-url': `http://chat.example/${token.replace('x', '%78')}`,
        channels: `C0GENERAL00, ${'x'.repeat(90)}${token}`,
      },
    },
  ],
  ['no file is found', 'failed', { inputs: { files: 'nothing/*.csv' } }],
  [
    'the service cannot be reached',
    'failed',
    { inputs: { 'base-url': 'http://127.0.0.1:1', ...short } },
  ],
  ['a file contains it', 'failed', { files: { 'a.csv': `token=${token}\n` } }],
  [
    'the service responds with all that it was sent',
    'failed',
    { inputs: classic, rules: [repeatsAll] },
  ],
  [
    'a web page responds with all that it was sent',
    'unknown',
    { inputs: classic, rules: [pageRepeatsAll] },
  ],
  [
    'the service redirects to a host with the token, percent-encoded or split by a tab',
    'failed',
    {
      files: { 'a.csv': 'a', 'b.csv': 'b' },
      rules: [
        redirects(
          uploadUrl,
          `https://%${first.charCodeAt(0).toString(16)}${rest.join('')}.example/`,
          1,
        ),
        redirects(uploadUrl, `https://${first}\t${rest.join('')}.example/`),
      ],
    },
  ],
  [
    'the host of the upload URL holds the token, split by a tab',
    'failed',
    {
      inputs: short,
      rules: [responds(uploadUrl, { json: { ok: true, file_id: 'F1', upload_url: splitUrl } })],
    },
  ],
  [
    'the release has it in its name and address',
    'posted',
    { eventName: 'release', event: { action: token, release }, inputs: { comment: '{source}' } },
  ],
]

test.each(situations)(
  'the token is masked first, and appears nowhere else, when %s (%s)',
  async (_, status, step) => {
    const done = await run(step)
    expect(done.stdout.split('\n')[0]).toBe(`::add-mask::${token}`)
    expect(done.stdout.split(token)).toHaveLength(2)
    expect(leaked(done, token)).toEqual([])
    expect(JSON.stringify(done.messages)).not.toContain(token)
    expect(done.outputs).toMatchObject({ status })
    expect(done.messages).toHaveLength(status === 'posted' || status === 'accepted' ? 1 : 0)
  },
)

test('a token with white space around it is used, and masked, without', async () => {
  const done = await run({ inputs: { token: `\n ${token} \n` } })
  expect(done.outputs).toMatchObject({ status: 'posted' })
  expect(done.stdout.split('\n')[0]).toBe(`::add-mask::${token}`)
})
