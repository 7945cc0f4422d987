// What a person reads when the network is in the way: real closed ports, certificates and proxies, by the bundle.
import { randomBytes } from 'node:crypto'
import { type LookupOptions, lookup } from 'node:dns'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as forward } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTunnel } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import pMap from 'p-map'
import { Server as ProxyServer, RequestError } from 'proxy-chain'
import type { Tls } from '../../sandbox/server.ts'
import { errorCodes, remedyOf, rowOf } from '../../src/service/error-codes.ts'
import { quoted, text } from '../../src/text/text.ts'
import { newAuthority } from '../support/authority.ts'
import { withPreload } from '../support/preload.ts'
import { withClock } from '../support/scaled-clock.ts'
import { annotations, leaked } from '../support/shown-log.ts'
import { type Done, errorsIn, runStep, type Step } from '../support/step.ts'

/** A name that no DNS server is asked for: its first part is too long. */
const noHost = `${'x'.repeat(64)}.example`
const user = 'ci-runner'
/** A name that no DNS server is asked for: a proxy, or `resolveToLoopback`, knows that it is this machine. */
const host = 'chat.example'
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
  /** Speaks another protocol. */
  readonly mail: Server
  /** Lets in who has the password. */
  readonly proxy: ProxyServer
  /** The same by TLS, as `localhost`. It prefers HTTP/2, as some gateways do. */
  readonly tlsProxy: Server
  /** Connects to nobody. */
  readonly strictProxy: ProxyServer
}

const lookupLoopback = ((_: string, options: LookupOptions, callback: () => void) =>
  lookup('127.0.0.1', options, callback)) as typeof lookup

let world: World
const fronts: Server[] = []
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'network-'))
  const authority = await newAuthority()
  const authorityFile = join(folder, 'ca.pem')
  await writeFile(authorityFile, authority.certificate)
  const [good, selfSigned, otherName, expired, future, local] = await Promise.all([
    authority.certify('127.0.0.1'),
    authority.certify('127.0.0.1', { by: 'itself' }),
    authority.certify(host),
    authority.certify('127.0.0.1', { from: '2020-01-01', until: '2021-01-01' }),
    authority.certify('127.0.0.1', { from: '2120-01-01', until: '2121-01-01' }),
    authority.certify('localhost'),
  ])
  const hangUp = createServer((socket) => socket.once('data', () => socket.end()))
  const mail = createServer((socket) => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')))
  const proxy = new ProxyServer({
    port: 0,
    host: '127.0.0.1',
    prepareRequestFunction: (request) => ({
      requestAuthentication: request.username !== user || request.password !== password,
      dnsLookup: lookupLoopback,
    }),
  })
  const strictProxy = new ProxyServer({
    port: 0,
    host: '127.0.0.1',
    prepareRequestFunction: () => {
      throw new RequestError('Not on the list', 403)
    },
  })
  const tlsProxy = createTunnel({ ...local, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    const inner = connect(proxy.port, '127.0.0.1')
    socket.on('error', () => inner.destroy()).pipe(inner)
    inner.on('error', () => socket.destroy()).pipe(socket)
  })
  await Promise.all([
    ...[hangUp, mail, tlsProxy].map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))),
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
    mail,
    proxy,
    strictProxy,
    tlsProxy,
  }
}, 60_000)

afterAll(async () => {
  world.hangUp.close()
  world.mail.close()
  world.tlsProxy.close()
  for (const front of fronts) front.close()
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

/** A server by TLS that passes every request on to the one for its path. */
async function passOn(tls: Tls, originFor: (path: string) => string): Promise<Server> {
  const front = createTlsServer(tls, (request, response) => {
    const { headers, method, url = '' } = request
    const target = new URL(url, originFor(url))
    const forwarded = forward(target, { method, headers: { ...headers, host: target.host } }, (passed) => {
      response.writeHead(passed.statusCode ?? 502, passed.headers)
      passed.pipe(response)
    })
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  return front
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port
const proxyUrl = ({ port }: { readonly port: number }, secret = password): string =>
  `http://${user}:${encodeURIComponent(secret)}@127.0.0.1:${port}`

/** A service by https, whose authority the step knows. */
const secure = ({ authorityFile, certificates }: World, env: Readonly<Record<string, string>> = {}): Step => ({
  service: { tls: certificates.good },
  env: { NODE_EXTRA_CA_CERTS: authorityFile, ...env },
})

/** The same under a name: no proxy is asked for this machine. */
const underName = (world: World, env: Readonly<Record<string, string>>): Step => {
  let origin = ''
  return {
    env: { NODE_EXTRA_CA_CERTS: world.authorityFile, ...env },
    async prepare({ origin: api, uploadOrigin, workspace }) {
      const front = await passOn(world.certificates.otherName, (path) =>
        path.startsWith('/upload/') ? uploadOrigin : api,
      )
      fronts.push(front)
      origin = `https://${host}:${portOf(front)}`
      workspace.set({ uploadUrl: `${origin}/upload/v1/` })
    },
    inputs: () => ({ 'base-url': origin }),
  }
}

/** The address of the service that no proxy lets the step reach. */
const unreached = (world: World, env: Readonly<Record<string, string>>): Step => ({
  ...secure(world, env),
  inputs: { 'base-url': `https://${host}` },
})

/** Every name is this machine. */
const resolveToLoopback = [
  '--import',
  `data:text/javascript,${encodeURIComponent(`
    import dns from 'node:dns'
    const { lookup } = dns
    dns.lookup = (_, ...rest) => lookup('127.0.0.1', ...rest)
  `)}`,
] as const

/** The system refuses every connection with this code. */
const withoutConnections = (code: string) =>
  withPreload(`
    import net from 'node:net'
    const error = () => Object.assign(new Error('connect ${code} 127.0.0.1'), { code: '${code}', syscall: 'connect' })
    net.Socket.prototype.connect = function () {
      return this.destroy(error())
    }
  `)

const failing: Readonly<Record<string, (world: World) => Step>> = {
  'a machine without a file descriptor': () => ({
    nodeOptions: [...withClock().nodeOptions, ...withoutConnections('EMFILE').nodeOptions],
  }),
  'a machine that forbids the connection': () => withoutConnections('EPERM'),
  'a Node without WebAssembly': () => ({ nodeOptions: ['--jitless'] }),
  'a port of the number 0': () => ({ inputs: { 'base-url': 'http://127.0.0.1:0' } }),
  'a host whose name is not known': () => ({ inputs: { 'base-url': `https://${noHost}` } }),
  'a port where nothing listens': (world) => ({ inputs: { 'base-url': `https://127.0.0.1:${world.closedPort}` } }),
  'https where http is spoken': () => ({
    inputs: ({ baseUrl }) => ({ 'base-url': baseUrl.replace('http:', 'https:') }),
  }),
  'a server that hangs up': ({ hangUp }) => ({ inputs: { 'base-url': `http://127.0.0.1:${portOf(hangUp)}` } }),
  'a server that does not speak HTTP': ({ mail }) => ({ inputs: { 'base-url': `http://127.0.0.1:${portOf(mail)}` } }),
  'a connection that is reset': () => ({
    prepare: ({ faults }) => faults.add({ on: 'files.getUploadURLExternal', fault: { kind: 'reset', when: 'before' } }),
  }),
  'a server that never responds': () => ({
    prepare: ({ faults }) => faults.add({ on: 'files.getUploadURLExternal', fault: { kind: 'silence' } }),
  }),
  'a server that responds ok before it has the file': () => ({
    files: { 'unit.csv': Buffer.alloc(8_000_000, 'x') },
    prepare: ({ faults }) => faults.add({ on: 'upload-bytes', fault: { kind: 'response', status: 200, early: true } }),
  }),
  'a certificate of an unknown authority': ({ certificates }) => ({ service: { tls: certificates.good } }),
  'a certificate of an unknown authority that is sent with it': ({ certificates }) => ({
    service: { tls: certificates.withChain },
  }),
  'a self-signed certificate': ({ certificates }) => ({ service: { tls: certificates.selfSigned } }),
  'a certificate for another name': (world) => ({ ...secure(world), service: { tls: world.certificates.otherName } }),
  'a certificate that has expired': (world) => ({ ...secure(world), service: { tls: world.certificates.expired } }),
  'a certificate that is not valid yet': (world) => ({ ...secure(world), service: { tls: world.certificates.future } }),
  'an upload host that is blocked while the service responds': (world) => ({
    prepare: ({ workspace }) => workspace.set({ uploadUrl: `http://127.0.0.1:${world.closedPort}/upload/` }),
  }),
  'an upload host that the proxy blocks while the service responds': (world) => ({
    ...secure(world, { HTTPS_PROXY: proxyUrl(world.strictProxy) }),
    prepare: ({ workspace }) => workspace.set({ uploadUrl: 'https://files.example/upload/' }),
  }),
  'a proxy that wants another password': (world) =>
    unreached(world, { HTTPS_PROXY: proxyUrl(world.proxy, `wrong-${password}`) }),
  'a proxy that wants another password, by HTTP_PROXY': (world) =>
    unreached(world, { HTTP_PROXY: proxyUrl(world.proxy, `wrong-${password}`) }),
  'a proxy that does not allow the host': (world) => unreached(world, { HTTPS_PROXY: proxyUrl(world.strictProxy) }),
  'a proxy that hangs up': (world) => unreached(world, { HTTPS_PROXY: proxyUrl({ port: portOf(world.hangUp) }) }),
  'a proxy that is not there': (world) => unreached(world, { HTTPS_PROXY: proxyUrl({ port: world.closedPort }) }),
  'a proxy whose name is not known': (world) =>
    unreached(world, { HTTPS_PROXY: proxyUrl({ port: 3128 }).replace('127.0.0.1', noHost) }),
  'a proxy without a scheme': (world) => secure(world, { HTTPS_PROXY: `${user}:${password}@127.0.0.1:3128` }),
  'a SOCKS proxy': (world) => secure(world, { HTTPS_PROXY: `socks5://${user}:secret-secret@127.0.0.1:1080` }),
  'a proxy of another kind': (world) => secure(world, { https_proxy: `ftp://${user}:secret-secret@127.0.0.1:3128` }),
  'a proxy password with a bare percent sign': (world) =>
    secure(world, { HTTPS_PROXY: `http://${user}:100%secret@127.0.0.1:3128` }),
}

const thisMachine = '127.0.0.1:PORT'

/** What the error names if no response came: the code, and the host. */
const codes: Readonly<Record<string, readonly [code: string, host: string]>> = {
  'a machine without a file descriptor': ['EMFILE', thisMachine],
  'a machine that forbids the connection': ['EPERM', thisMachine],
  'a Node without WebAssembly': ['ERR_WEBASSEMBLY_NOT_SUPPORTED', thisMachine],
  'a host whose name is not known': ['ENOTFOUND', host],
  'a port where nothing listens': ['ECONNREFUSED', thisMachine],
  'https where http is spoken': ['ERR_SSL_WRONG_VERSION_NUMBER', thisMachine],
  'a server that hangs up': ['UND_ERR_SOCKET', thisMachine],
  'a connection that is reset': ['ECONNRESET', thisMachine],
  'a server that never responds': ['STALLED', thisMachine],
  'a certificate of an unknown authority': ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', thisMachine],
  'a certificate of an unknown authority that is sent with it': ['SELF_SIGNED_CERT_IN_CHAIN', thisMachine],
  'a self-signed certificate': ['DEPTH_ZERO_SELF_SIGNED_CERT', thisMachine],
  'a certificate for another name': ['ERR_TLS_CERT_ALTNAME_INVALID', thisMachine],
  'a certificate that has expired': ['CERT_HAS_EXPIRED', thisMachine],
  'a certificate that is not valid yet': ['CERT_NOT_YET_VALID', thisMachine],
  'a proxy that wants another password': ['proxy_407', host],
  'a proxy that wants another password, by HTTP_PROXY': ['proxy_407', host],
  'a proxy that does not allow the host': ['proxy_403', host],
  'a proxy that hangs up': ['UND_ERR_PRX_CONN', host],
  'a proxy that is not there': ['PROXY_UNREACHABLE', host],
  'a proxy whose name is not known': ['PROXY_UNREACHABLE', host],
}

const passing: Readonly<Record<string, (world: World) => Step>> = {
  'an authority named by NODE_EXTRA_CA_CERTS': (world) => secure(world),
  'HTTPS_PROXY with user and password': (world) => underName(world, { HTTPS_PROXY: proxyUrl(world.proxy) }),
  'http_proxy with user and password': (world) => underName(world, { http_proxy: proxyUrl(world.proxy) }),
  'HTTPS_PROXY with https': (world) =>
    underName(world, {
      HTTPS_PROXY: proxyUrl({ port: portOf(world.tlsProxy) })
        .replace('http:', 'https:')
        .replace('127.0.0.1', 'localhost'),
    }),
}

const withoutProxy: Readonly<Record<string, (world: World) => Step>> = {
  NO_PROXY: (world) => ({
    ...underName(world, { HTTPS_PROXY: proxyUrl(world.strictProxy), NO_PROXY: host }),
    nodeOptions: [...withClock().nodeOptions, ...resolveToLoopback],
  }),
}

const done = new Map<string, Done>()

beforeAll(async () => {
  const run = async ([situation, step]: readonly [string, (world: World) => Step]) => {
    const { env, inputs, ...rest } = step(world)
    done.set(
      situation,
      await runStep({
        files: { 'unit.csv': 'a,b\n1,2\n' },
        ...withClock(),
        ...rest,
        inputs: (sandbox) => ({
          method: 'external',
          ...(typeof inputs === 'function' ? inputs(sandbox) : inputs),
        }),
        env: { RUNNER_DEBUG: '1', ...env },
      }),
    )
  }
  await pMap(Object.entries({ ...failing, ...passing, ...withoutProxy }), run, { concurrency: 3 })
}, 300_000)

const resultOf = (situation: string): Done => {
  const result = done.get(situation)
  if (result === undefined) throw new Error('It did not run')
  return result
}

describe('the error has the code, and the remedy of the table:', () => {
  test.each(Object.entries(codes))('%s', (situation, [code, unreachable]) => {
    const entry = rowOf(code)
    if (entry === undefined) throw new Error(`${code} is not in the table`)
    const [error] = errorsIn(resultOf(situation))
    expect(error?.title).toBe(entry.title)
    const shown = (error?.text ?? '').replaceAll(noHost, host).replace(/127\.0\.0\.1:\d+/g, thisMachine)
    const [first, ...others] = shown.split('\n')
    const response = `no response from \`${unreachable}\` (`
    expect(first?.startsWith(`\`unit.csv\` could not be uploaded: ${response}`)).toBe(true)
    expect(first?.slice(first.indexOf(response))).toContain(code)
    const facts = { service: text`${unreachable}`, host: unreachable, method: 'files.getUploadURLExternal' }
    expect(others).toEqual([quoted(remedyOf(entry, facts))])
  })
})

test.each(Object.entries(codes).filter(([, [code]]) => rowOf(code).isPermanent))('not tried again: %s', (situation) => {
  expect(resultOf(situation).stdout.match(/^::debug::files\.getUploadURLExternal/gm)).toHaveLength(1)
})

describe('the whole text:', () => {
  test.each(Object.keys(failing).filter((situation) => codes[situation] === undefined))('%s', (situation) => {
    expect(annotations(resultOf(situation)).replaceAll(noHost, host)).toMatchSnapshot()
  })
})

describe('one short error, and no secret:', () => {
  test.each(Object.keys(failing))('%s', (situation) => {
    const result = resultOf(situation)
    expect(result).toMatchObject({ code: 1, stderr: '', outputs: { status: 'failed' } })
    const errors = errorsIn(result)
    expect(errors).toHaveLength(1)
    for (const error of errors) expect(error.text.split('\n').length).toBeLessThanOrEqual(3)
    for (const secret of [result.token, password, encodeURIComponent(password), basic]) {
      expect(leaked(result, secret)).toEqual([])
    }
  })

  test('nothing is uploaded or posted by any of them', () => {
    const all = Object.keys(failing).flatMap((situation) => resultOf(situation).messages)
    expect(all).toEqual([])
  })
})

describe('the service is reached by', () => {
  test.each(Object.keys(passing))('%s', (situation) => {
    const result = resultOf(situation)
    expect(result).toMatchObject({ code: 0, stderr: '', outputs: { status: 'posted' } })
    for (const secret of [result.token, password, encodeURIComponent(password), basic]) {
      expect(leaked(result, secret)).toEqual([])
    }
  })

  test('the proxy, not past it', () => {
    // Each of the four runs opens at least one connection.
    expect(world.proxy.stats.connectRequestCount).toBeGreaterThanOrEqual(4)
  })
})

describe('no proxy is asked for a host in', () => {
  test.each(Object.keys(withoutProxy))('%s', (situation) => {
    expect(resultOf(situation)).toMatchObject({ code: 0, outputs: { status: 'posted' } })
  })
})

describe('no proxy is asked for this machine, although it is named by', () => {
  let asked = 0
  const proxy = createServer((socket) => {
    asked += 1
    socket.destroy()
  })
  beforeAll(() => new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve)))
  beforeEach(() => {
    asked = 0
  })
  afterAll(() => void proxy.close())

  const run = (name: string, toBaseUrl: (baseUrl: string) => string, env: Step['env'] = {}) =>
    runStep({
      files: { 'unit.csv': 'a,b\n1,2\n' },
      inputs: ({ baseUrl }) => ({ method: 'external', 'base-url': toBaseUrl(baseUrl), 'timeout-minutes': '0.02' }),
      env: { ...env, [name]: `http://127.0.0.1:${portOf(proxy)}` },
      nodeOptions: resolveToLoopback,
    })

  // `unit/hosts.test.ts` has all names of this machine.
  test.each([
    ['HTTP_PROXY', 'http:', 'posted'],
    // The sandbox speaks no TLS here.
    ['https_proxy', 'https:', 'failed'],
  ])('%s', async (name, protocol, status) => {
    const { outputs } = await run(name, (baseUrl) => baseUrl.replace('http:', protocol), { NO_PROXY: 'example.com' })
    expect({ asked, status: outputs['status'] }).toEqual({ asked: 0, status })
  })

  test('and it is asked for another host', async () => {
    await run('HTTPS_PROXY', () => `https://${host}`)
    expect(asked).toBeGreaterThan(0)
  })
})

test('user and password of a proxy are masked, as they are written and as they are sent', () => {
  const { stdout } = resultOf('HTTPS_PROXY with user and password')
  for (const secret of [encodeURIComponent(password), password, basic]) {
    expect(stdout).toContain(`::add-mask::${secret.replaceAll('%', '%25')}\n`)
  }
})

test('each network error of the table was met for real', () => {
  const network = errorCodes.filter((entry) => entry.codes.some((code) => /^([A-Z]|proxy_)/.test(code)))
  const met = Object.keys(failing).flatMap((situation) => errorsIn(resultOf(situation)).map(({ title }) => title))
  const missing = network.map(({ title }) => title).filter((title) => !met.includes(title))
  // If the run ends first, its own problem is reported.
  expect(missing).toEqual(['The run ended before the response came'])
})

test('each code is in the table once', () => {
  const all = errorCodes.flatMap((entry) => entry.codes)
  expect(all).toEqual([...new Set(all)])
})
