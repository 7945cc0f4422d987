// What a person reads when the network is in the way: real closed ports, certificates and proxies, by the bundle.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pMap from 'p-map'
import { Server as ProxyServer, RequestError } from 'proxy-chain'
import type { Tls } from '../../sandbox/server.ts'
import { remedies } from '../../src/service/errors.ts'
import { newAuthority } from '../support/authority.ts'
import { annotations, leaked, quickStall, quickWaits } from '../support/seen.ts'
import { type Done, errorsIn, runStep, type Step } from '../support/step.ts'

/** A name that no name server is asked for: its first part is too long. */
const noHost = `${'x'.repeat(64)}.example`
const user = 'ci-runner'
const password = `p@ss/${randomBytes(12).toString('hex')}`
const basic = Buffer.from(`${user}:${password}`).toString('base64')

interface World {
  /** PEM of the authority, as a file. */
  readonly authorityFile: string
  /** Certificates for 127.0.0.1 unless the name says otherwise. */
  readonly certificates: Readonly<Record<'good' | 'withChain' | 'selfSigned' | 'otherName' | 'expired' | 'future', Tls>>
  /** A port of this machine where nothing listens. */
  readonly closedPort: number
  /** Hangs up as soon as somebody says something. */
  readonly hangUp: Server
  /** Lets in who has the password. */
  readonly proxy: ProxyServer
  /** Connects to nobody. */
  readonly strictProxy: ProxyServer
}

let world: World
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'network-'))
  const authority = await newAuthority()
  const authorityFile = join(folder, 'ca.pem')
  await writeFile(authorityFile, authority.certificate)
  const [good, selfSigned, otherName, expired, future] = await Promise.all([
    authority.certify('127.0.0.1'),
    authority.certify('127.0.0.1', { by: 'itself' }),
    authority.certify('chat.example'),
    authority.certify('127.0.0.1', { from: '2020-01-01', until: '2021-01-01' }),
    authority.certify('127.0.0.1', { from: '2120-01-01', until: '2121-01-01' }),
  ])
  const hangUp = createServer((socket) => socket.once('data', () => socket.end()))
  const proxy = new ProxyServer({
    port: 0,
    host: '127.0.0.1',
    prepareRequestFunction: (request) => ({
      requestAuthentication: request.username !== user || request.password !== password,
    }),
  })
  const strictProxy = new ProxyServer({
    port: 0,
    host: '127.0.0.1',
    prepareRequestFunction: () => {
      throw new RequestError('Not on the list', 403)
    },
  })
  await Promise.all([
    new Promise<void>((resolve) => hangUp.listen(0, '127.0.0.1', resolve)),
    proxy.listen(),
    strictProxy.listen(),
  ])
  world = {
    authorityFile,
    certificates: {
      good,
      withChain: { ...good, cert: `${good.cert}\n${authority.certificate}` },
      selfSigned,
      otherName,
      expired,
      future,
    },
    closedPort: await closedPort(),
    hangUp,
    proxy,
    strictProxy,
  }
}, 60_000)

afterAll(async () => {
  world.hangUp.close()
  await Promise.all([world.proxy.close(true), world.strictProxy.close(true)])
  await rm(folder, { recursive: true, force: true })
})

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port
const proxyUrl = ({ port }: { readonly port: number }, secret = password): string =>
  `http://${user}:${encodeURIComponent(secret)}@127.0.0.1:${port}`

/** A service by https, whose authority the step knows. */
const secure = ({ authorityFile, certificates }: World, env: Readonly<Record<string, string>> = {}): Step => ({
  service: { tls: certificates.good },
  env: { NODE_EXTRA_CA_CERTS: authorityFile, ...env },
})

const failing: Readonly<Record<string, (world: World) => Step>> = {
  'a host whose name is not known': () => ({ inputs: { 'base-url': `https://${noHost}` } }),
  'a port where nothing listens': (world) => ({ inputs: { 'base-url': `https://127.0.0.1:${world.closedPort}` } }),
  'https where http is spoken': () => ({
    inputs: ({ baseUrl }) => ({ 'base-url': baseUrl.replace('http:', 'https:') }),
  }),
  'a server that hangs up': ({ hangUp }) => ({ inputs: { 'base-url': `http://127.0.0.1:${portOf(hangUp)}` } }),
  'a connection that is reset': () => ({
    prepare: ({ faults }) => faults.add({ on: 'files.getUploadURLExternal', fault: { kind: 'reset', when: 'before' } }),
  }),
  'a server that never answers': () => ({
    prepare: ({ faults }) => faults.add({ on: 'files.getUploadURLExternal', fault: { kind: 'silence' } }),
    nodeOptions: [...quickWaits, ...quickStall],
  }),
  'a server that says ok before it has the file': () => ({
    files: { 'unit.csv': Buffer.alloc(8_000_000, 'x') },
    prepare: ({ faults }) => faults.add({ on: 'upload-bytes', fault: { kind: 'response', status: 200, early: true } }),
  }),
  'a certificate of an unknown authority': ({ certificates }) => ({ service: { tls: certificates.good } }),
  'a certificate of an unknown authority that is sent with it': ({ certificates }) => ({
    service: { tls: certificates.withChain },
  }),
  'a certificate signed by itself': ({ certificates }) => ({ service: { tls: certificates.selfSigned } }),
  'a certificate for another name': (world) => ({ ...secure(world), service: { tls: world.certificates.otherName } }),
  'a certificate that has expired': (world) => ({ ...secure(world), service: { tls: world.certificates.expired } }),
  'a certificate that is not valid yet': (world) => ({ ...secure(world), service: { tls: world.certificates.future } }),
  'an upload host that is blocked while the service answers': (world) => ({
    prepare: ({ workspace }) => workspace.set({ uploadUrl: `http://127.0.0.1:${world.closedPort}/upload/` }),
  }),
  'an upload host that the proxy blocks while the service answers': (world) => ({
    ...secure(world, { HTTPS_PROXY: proxyUrl(world.strictProxy), NO_PROXY: '127.0.0.1' }),
    prepare: ({ workspace }) => workspace.set({ uploadUrl: 'https://files.example/upload/' }),
  }),
  'a proxy that wants another password': (world) =>
    secure(world, { HTTPS_PROXY: proxyUrl(world.proxy, `wrong-${password}`) }),
  'a proxy that wants another password, for http': (world) => ({
    env: { HTTP_PROXY: proxyUrl(world.proxy, `wrong-${password}`) },
  }),
  'a proxy that does not allow the host': (world) => secure(world, { HTTPS_PROXY: proxyUrl(world.strictProxy) }),
  'a proxy that hangs up': (world) => secure(world, { HTTPS_PROXY: proxyUrl({ port: portOf(world.hangUp) }) }),
  'a proxy that is not there': (world) => secure(world, { HTTPS_PROXY: proxyUrl({ port: world.closedPort }) }),
  'a proxy whose name is not known': (world) =>
    secure(world, { HTTPS_PROXY: proxyUrl({ port: 3128 }).replace('127.0.0.1', noHost) }),
  'a proxy without a scheme': (world) => secure(world, { HTTPS_PROXY: `${user}:${password}@127.0.0.1:3128` }),
  'a proxy of another kind': (world) => secure(world, { https_proxy: `ftp://${user}:secret-secret@127.0.0.1:3128` }),
  'a proxy password with a bare percent sign': (world) =>
    secure(world, { HTTPS_PROXY: `http://${user}:100%secret@127.0.0.1:3128` }),
}

const passing: Readonly<Record<string, (world: World) => Step>> = {
  'an authority named by NODE_EXTRA_CA_CERTS': (world) => secure(world),
  'HTTPS_PROXY with user and password': (world) => secure(world, { HTTPS_PROXY: proxyUrl(world.proxy) }),
  'https_proxy with user and password': (world) => secure(world, { https_proxy: proxyUrl(world.proxy) }),
  'HTTP_PROXY with user and password': ({ proxy }) => ({ env: { HTTP_PROXY: proxyUrl(proxy) } }),
  'http_proxy with user and password': ({ proxy }) => ({ env: { http_proxy: proxyUrl(proxy) } }),
}

const around: Readonly<Record<string, (world: World) => Step>> = {
  NO_PROXY: (world) => secure(world, { HTTPS_PROXY: proxyUrl(world.strictProxy), NO_PROXY: '127.0.0.1' }),
  no_proxy: (world) => secure(world, { https_proxy: proxyUrl(world.strictProxy), no_proxy: 'example.com,127.0.0.1' }),
}

const done = new Map<string, Done>()

beforeAll(async () => {
  const run = async ([situation, step]: readonly [string, (world: World) => Step]) => {
    const { env, inputs, ...rest } = step(world)
    done.set(
      situation,
      await runStep({
        files: { 'unit.csv': 'a,b\n1,2\n' },
        nodeOptions: quickWaits,
        ...rest,
        inputs: (sandbox) => ({
          method: 'external',
          ...(typeof inputs === 'function' ? inputs(sandbox) : inputs),
        }),
        env: { RUNNER_DEBUG: '1', ...env },
      }),
    )
  }
  await pMap(Object.entries({ ...failing, ...passing, ...around }), run, { concurrency: 3 })
}, 300_000)

const resultOf = (situation: string): Done => {
  const result = done.get(situation)
  if (result === undefined) throw new Error('It did not run')
  return result
}

describe('what is read of', () => {
  test.each(Object.keys(failing))('%s', (situation) => {
    const result = resultOf(situation)
    expect(annotations(result).replaceAll(noHost, 'chat.example')).toMatchSnapshot()
    expect(result).toMatchObject({ code: 1, stderr: '', outputs: { status: 'failed' } })
    const errors = errorsIn(result)
    expect(errors).toHaveLength(1)
    for (const { text } of errors) expect(text.split('\n').length).toBeLessThanOrEqual(3)
    for (const secret of [result.token, password, encodeURIComponent(password), basic]) {
      expect(leaked(result, secret)).toEqual([])
    }
  })

  test('nothing is uploaded or posted by any of them', () => {
    const all = Object.keys(failing).flatMap((situation) => resultOf(situation).messages)
    expect(all).toEqual([])
  })
})

describe('the way to the service is found by', () => {
  test.each(Object.keys(passing))('%s', (situation) => {
    const result = resultOf(situation)
    expect(result).toMatchObject({ code: 0, stderr: '', outputs: { status: 'posted' } })
    for (const secret of [result.token, password, encodeURIComponent(password), basic]) {
      expect(leaked(result, secret)).toEqual([])
    }
  })

  test('the proxy, not past it', () => {
    // Each of the four runs is a ticket, bytes, a completion, a look and a link: by CONNECT one connection for each host.
    expect(world.proxy.stats.connectRequestCount).toBeGreaterThanOrEqual(4)
    expect(world.proxy.stats.httpRequestCount).toBeGreaterThanOrEqual(8)
  })
})

describe('no proxy is asked for a host in', () => {
  test.each(Object.keys(around))('%s', (situation) => {
    expect(resultOf(situation)).toMatchObject({ code: 0, outputs: { status: 'posted' } })
  })
})

test('user and password of a proxy are masked, as they are written and as they are sent', () => {
  const { stdout } = resultOf('HTTPS_PROXY with user and password')
  for (const secret of [encodeURIComponent(password), password, basic]) {
    expect(stdout).toContain(`::add-mask::${secret.replaceAll('%', '%25')}\n`)
  }
})

test('each kind of network error that has a remedy was met for real', () => {
  const network = remedies.filter(({ codes }) => codes.some((code) => /^([A-Z]|proxy_)/.test(code)))
  const met = Object.keys(failing).flatMap((situation) => errorsIn(resultOf(situation)).map(({ title }) => title))
  const missing = network.map(({ title }) => title).filter((title) => !met.includes(title))
  // What the run's own end cuts off is told by the delivery.
  expect(missing).toEqual(['The run ended before the answer came'])
})

test('each code has one remedy', () => {
  const codes = remedies.flatMap((remedy) => remedy.codes)
  expect(codes).toEqual([...new Set(codes)])
})
