import { createHash } from 'node:crypto'
import {
  cutFiles,
  encode,
  type FaultRule,
  type Plan,
  plan,
  type Target,
  usual,
} from '../../sandbox/faults.ts'
import {
  methods,
  type Received,
  type ServiceResponse,
  type Workspace,
} from '../../sandbox/workspace.ts'
import { decodeText, type Http, type HttpResponse } from '../../src/service/http/http.ts'
import { NoResponseError } from '../../src/service/http/no-response.ts'
import { type HttpRequest, maxResponseBytes } from '../../src/service/http/transfer.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** A fault of the service, or a dead network. */
export interface ModelRule extends Omit<FaultRule, 'on'> {
  readonly on: Target
  readonly unreachable?: boolean
  /** Limits the effect to these requests, since for others the response would be false. */
  readonly effectOnlyOn?: 'a completion' | 'several channels'
  /** The record lists the channels, but no shares yet. */
  readonly hidesShares?: boolean
  /** A completion posts only its first file. */
  readonly partly?: boolean
  /** Applies after this many completions. */
  readonly afterCompletions?: number
}

export interface ModelCall {
  readonly target: Target
  readonly at: number
  readonly authorized: boolean
}

export const token = 'xoxb-made-up-for-the-model'

const posts: readonly Target[] = ['files.completeUploadExternal', 'files.upload']
const stallMilliseconds = 30_000
/** Bytes that the network takes although nobody reads them. */
const networkBuffer = 2_000

/**
 * `Http` on the sandbox's model, in virtual time and without sockets, with the results of
 * `src/service/http/http.ts` for each fault.
 */
export class ModelHttp implements Http {
  readonly calls: ModelCall[] = []
  isClosed = false
  /** A posting call was carried out and answered with 429, so promises cannot be kept. */
  deniesPosts = false
  readonly #workspace: Workspace
  readonly #rules: readonly ModelRule[]
  readonly #clock: VirtualClock
  readonly #random: () => number

  constructor(
    workspace: Workspace,
    rules: readonly ModelRule[],
    clock: VirtualClock,
    random: () => number,
  ) {
    this.#workspace = workspace
    this.#rules = rules
    this.#clock = clock
    this.#random = random
  }

  close(): void {
    this.isClosed = true
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const { signal, body } = request
    if (signal.aborted) throw new NoResponseError('ABORTED', false, 'aborted')
    const target = targetOf(request.url)
    const number = this.calls.filter((call) => call.target === target).length + 1
    const completions = this.calls.filter(
      (call) => call.target === 'files.completeUploadExternal',
    ).length
    const begin = this.#clock.now()
    this.calls.push({ target, at: begin, authorized: request.authorized })
    const rule = this.#rules.find(
      ({ on, call, afterCompletions = 0 }) =>
        on === target &&
        completions >= afterCompletions &&
        (call === undefined || [call].flat().includes(number)),
    )
    const faults =
      rule === undefined ? usual : plan([rule], target, number, 'https://elsewhere.example/')

    let fullySent = false
    const pass = async (milliseconds: number) => {
      const limit = Math.max(stallMilliseconds, fullySent ? (request.minResponseTime ?? 0) : 0)
      await this.#clock.sleep(Math.min(milliseconds, limit), signal).catch(() => {
        throw new NoResponseError('ABORTED', fullySent, 'aborted')
      })
      if (milliseconds > limit) throw new NoResponseError('STALLED', fullySent, 'stalled')
    }
    await pass(1 + this.#random() * 50)
    if (rule?.unreachable) throw new NoResponseError('ECONNREFUSED', false, 'connect')
    if (faults.reads === 'nothing' && faults.ending === 'complete')
      return this.#early(request, faults)

    const sent = await read(body, faults.reads === 'part' ? body.length / 2 : body.length)
    fullySent = faults.reads === 'all' || body.length < networkBuffer
    await pass((sent.length / faults.readBytesPerSecond) * 1_000)
    if (faults.reads !== 'all') throw new NoResponseError('ECONNRESET', fullySent, 'reset')

    const isDenied = faults.response !== undefined && this.#workspace.carriesOut(faults.response)
    const effect = (faults.effect || isDenied) && this.#mayTakeEffect(rule, target, sent)
    const own = effect
      ? await this.#clock.standStill(this.#act(request, target, sent, faults, begin, rule?.partly))
      : undefined
    await pass(1 + this.#random() * 50 + faults.delay)
    if (faults.ending === 'silence') await pass(Number.POSITIVE_INFINITY)
    const answer =
      own !== undefined && isLie(faults, own)
        ? own
        : (faults.response ?? (own && cutFiles(own, faults)))
    if (answer && posts.includes(target) && this.#workspace.carriesOut(answer))
      this.deniesPosts = true
    if (faults.ending === 'reset' || answer === undefined)
      throw new NoResponseError('ECONNRESET', true, 'reset')
    const { body: bytes, headers } = encode(
      rule?.hidesShares ? withoutShares(answer) : answer,
      faults.encoding,
    )
    await pass((bytes.length / faults.writeBytesPerSecond) * 1_000)
    const isWhole = faults.ending !== 'truncated' && bytes.length <= maxResponseBytes
    return this.#answer({ ...answer, headers }, isWhole ? decodeText(bytes) : undefined)
  }

  #mayTakeEffect(rule: ModelRule | undefined, target: Target, sent: Buffer): boolean {
    const completion = target === 'files.completeUploadExternal'
    switch (rule?.effectOnlyOn) {
      case 'a completion':
        return completion
      case 'several channels':
        return completion
          ? new URLSearchParams(sent.toString()).get('channels') !== null
          : target === 'files.upload' &&
              /name="channels"\r\n\r\n[^\r]*,/.test(sent.toString('latin1'))
      default:
        return true
    }
  }

  #early({ body }: HttpRequest, { response: answer = { status: 200, headers: {} } }: Plan) {
    // Bodies in memory are sent at once.
    const isEarly = body.length >= networkBuffer
    if (!isEarly && answer.status < 300) throw new NoResponseError('ECONNRESET', true, 'reset')
    return { ...this.#answer(answer, encode(answer, undefined).body.toString()), isEarly }
  }

  #answer({ status, headers }: ServiceResponse, text: string | undefined): HttpResponse {
    return {
      status,
      headers: { date: new Date(this.#workspace.settings.now()).toUTCString(), ...headers },
      text,
      isEarly: false,
    }
  }

  async #act(
    { authorized, headers, url }: HttpRequest,
    target: Target,
    sent: Buffer,
    faults: Plan,
    begin: number,
    partly = false,
  ): Promise<ServiceResponse> {
    const sentToken = authorized ? token : undefined
    if (target === 'upload-bytes') {
      const ticket = url.pathname.split('/').at(-1) ?? ''
      const milliseconds = this.#clock.now() - begin
      return this.#workspace.receive(
        ticket,
        received(sent),
        received(kept(sent, faults)),
        milliseconds,
      )
    }
    if (target !== 'files.upload') {
      const form = Object.fromEntries(new URLSearchParams(sent.toString()))
      if (partly) form['files'] = JSON.stringify(JSON.parse(form['files'] ?? '[]').slice(0, 1))
      return this.#workspace.call(target, { token: sentToken, form })
    }
    // Copied, because jest's Response accepts only its own realm's memory.
    const parts = await new Response(new Uint8Array(sent), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData()
    const form: Record<string, string> = {}
    let file: (Received & { readonly name: string }) | undefined
    for (const [name, value] of parts) {
      if (typeof value === 'string') form[name] = value
      else
        file = {
          name: value.name,
          ...received(kept(Buffer.from(await value.arrayBuffer()), faults)),
        }
    }
    return this.#workspace.call(target, { token: sentToken, form, ...(file && { file }) })
  }
}

function withoutShares(answer: ServiceResponse): ServiceResponse {
  const file = answer.json?.['file']
  if (typeof file !== 'object') return answer
  return {
    ...answer,
    json: { ...answer.json, file: { ...file, shares: {}, has_more_shares: false } },
  }
}

/** Is the ok false? Nobody can see through that, so the model does not respond so. */
function isLie({ response: answer }: Plan, own: ServiceResponse): boolean {
  return (
    answer !== undefined && answer.status < 300 && (own.status >= 300 || own.json?.['ok'] === false)
  )
}

function targetOf({ hostname, pathname }: URL): Target {
  if (hostname.startsWith('files.')) return 'upload-bytes'
  const method = methods.find((name) => pathname === `/api/${name}`)
  if (method === undefined) throw new Error(`The service has no ${pathname}`)
  return method
}

async function read(body: HttpRequest['body'], bytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body.chunks()) {
    // The sender may reuse the chunk.
    chunks.push(Uint8Array.from(chunk))
    length += chunk.byteLength
    if (length > bytes) break
  }
  return Buffer.concat(chunks)
}

function received(bytes: Buffer): Received {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { length: bytes.length, sha256, stored: bytes.toString('latin1') }
}

function kept(bytes: Buffer, { keeps }: Plan): Buffer {
  return bytes.subarray(0, keeps ?? bytes.length)
}
