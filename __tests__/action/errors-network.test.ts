// The log of network errors: real closed ports, certificates and proxies, with the bundle.
import { randomBytes } from 'node:crypto'
import { type LookupOptions, lookup } from 'node:dns'
import { createServer as createTlsServer } from 'node:https'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createServer as createTunnel } from 'node:tls'
import { beforeAll, expect, test } from '@jest/globals'
import pMap from 'p-map'
import { type PrepareRequestFunction, Server as ProxyServer, RequestError } from 'proxy-chain'
import type { Fault, Target } from '../../sandbox/faults.ts'
import type { Tls } from '../../sandbox/server.ts'
import { adviceFor, errorCodes } from '../../src/service/errors/error-codes.ts'
import { authority, cert, expired, key, weak } from '../support/certificate.ts'
import { sharedFolder } from '../support/folder.ts'
import { withPreload } from '../support/preload.ts'
import { withClock } from '../support/scaled-clock.ts'
import { listen, passOn } from '../support/servers.ts'
import { annotations, leaked } from '../support/shown-log.ts'
import { type Done, errorsIn, runStep, type Step } from '../support/step.ts'

/** Never looked up by DNS, because its first part is too long. */
const noHost = `${'x'.repeat(64)}.example`
const user = 'ci-runner'
/** Never looked up by DNS: proxies and `resolveToLoopback` lead to this machine. */
const host = 'chat.example'
const password = `p@ss/${randomBytes(12).toString('hex')}`
const basic = Buffer.from(`${user}:${password}`).toString('base64')

const lookupLoopback = ((_: string, options: LookupOptions, callback: () => void) =>
  lookup('127.0.0.1', options, callback)) as typeof lookup

async function listeningProxy(
  prepareRequestFunction: PrepareRequestFunction,
): Promise<ProxyServer> {
  const proxy = new ProxyServer({ port: 0, host: '127.0.0.1', prepareRequestFunction })
  await proxy.listen()
  proxy.server.unref()
  return proxy
}

const good: Tls = { key, cert }
const authorityFile = join(sharedFolder({ 'ca.pem': authority + weak.cert }), 'ca.pem')
/** Lets a step trust the authority. */
const trusting = { NODE_EXTRA_CA_CERTS: authorityFile }

const ciphers = 'DEFAULT@SECLEVEL=0'
const oldTls = await listen(
  createTunnel({ ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers }),
)
/** The step trusts it, but its key has only 1,024 bits. */
const weakTls = await listen(createTunnel({ ...weak, ciphers }))
/** Hangs up at the first byte. */
const hangUp = await listen(createServer((socket) => socket.once('data', () => socket.end())))
/** Speaks SMTP. */
const mail = await listen(
  createServer((socket) => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n'))),
)
/** Requires user and password. */
const proxy = await listeningProxy((request) => ({
  requestAuthentication: request.username !== user || request.password !== password,
  dnsLookup: lookupLoopback,
}))
/** Refuses every host. */
const strictProxy = await listeningProxy(() => {
  throw new RequestError('Not on the list', 403)
})
/** Allows six connections per client. */
const narrowProxy: ProxyServer = await listeningProxy(() => {
  if (narrowProxy.getConnectionIds().length > 6) throw new RequestError('Too many connections', 403)
  return { dnsLookup: lookupLoopback }
})
/** Refuses its first two connections. */
const statuses = [408, 429]
const busyProxy = await listeningProxy(() => {
  const status = statuses.shift()
  if (status !== undefined) throw new RequestError('Busy', status)
  return { dnsLookup: lookupLoopback }
})
/** Accepts connections and says nothing. */
const silentProxy = await listen(createServer((socket) => socket.on('error', () => {}).resume()))
const passTo = (port: number, socket: Socket) => {
  pipeline(socket, connect(port, '127.0.0.1'), socket, () => {})
}
/** Says nothing to its first six connections. */
let ignored = 0
const startingProxy = await listen(
  createServer((socket) => {
    ignored += 1
    passTo(ignored > 6 ? proxy.port : silentProxy, socket)
  }),
)
/** A TLS proxy, as `localhost`. Like some gateways, it prefers HTTP/2. */
const tlsProxy = await listen(
  createTunnel({ ...good, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) =>
    passTo(proxy.port, socket),
  ),
)

/** Leads to a server with a certificate for other names. */
const otherName = `other.example:${tlsProxy}`
/** Nothing listens there. The system could give a port that was just closed to another test. */
const closedPort = 9

/** A TLS server that passes all requests on. */
const frontOf = (origin: string): Promise<number> =>
  listen(createTlsServer(good, (request, response) => passOn(request, response, origin)))

const proxyUrl = (port: number, secret = password): string =>
  `http://${user}:${encodeURIComponent(secret)}@127.0.0.1:${port}`

/** A service with a name and https, and uploads on another port. Loopback uses no proxy. */
const underName = (env: Readonly<Record<string, string>>, minutes = 20): Step => {
  let origin = ''
  return {
    env: { ...trusting, ...env },
    async prepare({ origin: api, uploadOrigin, workspace }) {
      const [front, uploads] = [await frontOf(api), await frontOf(uploadOrigin)]
      origin = `https://${host}:${front}`
      workspace.set({ uploadUrl: `https://${host}:${uploads}/upload/v1/` })
    },
    inputs: () => ({ 'base-url': origin, 'timeout-minutes': String(minutes) }),
  }
}

/** The proxy refuses or loses every connection. */
const unreached = (code: string, env: Readonly<Record<string, string>>): Situation => ({
  env,
  inputs: { 'base-url': `https://${host}` },
  error: code,
})

/** Resolves every name to this machine. */
const { nodeOptions: resolveToLoopback } = withPreload(`
  import dns from 'node:dns'
  const { lookup } = dns
  dns.lookup = (_, ...rest) => lookup('127.0.0.1', ...rest)
`)

/** The system refuses every connection with this code. */
const withoutConnections = (code: string) =>
  withPreload(`
    import net from 'node:net'
    const error = () => Object.assign(new Error('connect ${code} 127.0.0.1'), { code: '${code}', syscall: 'connect' })
    net.Socket.prototype.connect = function () {
      return this.destroy(error())
    }
  `)

/** Every host is distant: its first address responds after 2.5 s, and its second has no route. */
const distant = withPreload(`
  import net from 'node:net'
  const { connect } = net.Socket.prototype
  net.Socket.prototype.connect = function (...args) {
    const [{ autoSelectFamilyAttemptTimeout = net.getDefaultAutoSelectFamilyAttemptTimeout() }] = args.flat()
    if (autoSelectFamilyAttemptTimeout > 2_500) return connect.apply(this, args)
    return this.destroy(Object.assign(new Error('connect ENETUNREACH ::1'), { code: 'ENETUNREACH', syscall: 'connect' }))
  }
`)

/** Without the code of its error, the snapshot has the whole text. */
interface Situation extends Step {
  readonly error?: string
}

const proxied = (url: string): Situation => ({
  service: { tls: good },
  env: { ...trusting, HTTPS_PROXY: url },
})
const failsAt = (on: Target, fault: Fault): Step => ({
  prepare: ({ faults }) => faults.add({ on, fault }),
})

const failing: Readonly<Record<string, Situation>> = {
  'a machine without a file descriptor': {
    nodeOptions: [...withClock().nodeOptions, ...withoutConnections('EMFILE').nodeOptions],
    error: 'EMFILE',
  },
  'a machine that forbids the connection': {
    ...withoutConnections('EPERM'),
    error: 'EPERM',
  },
  'a port of the number 0': { inputs: { 'base-url': 'http://127.0.0.1:0' } },
  'a host whose name is not known': {
    inputs: { 'base-url': `https://${noHost}` },
    error: 'ENOTFOUND',
  },
  'https where http is spoken': {
    inputs: ({ baseUrl }) => ({ 'base-url': baseUrl.replace('http:', 'https:') }),
    error: 'ERR_SSL_WRONG_VERSION_NUMBER',
  },
  'a server that hangs up': {
    inputs: { 'base-url': `http://127.0.0.1:${hangUp}` },
    error: 'UND_ERR_SOCKET',
  },
  'a server that does not speak HTTP': {
    inputs: { 'base-url': `http://127.0.0.1:${mail}` },
  },
  'a proxy that ends a large upload': {
    files: { 'a.csv': Buffer.alloc(8_000_000, 'x') },
    ...failsAt('upload-bytes', { kind: 'reset', when: 'middle' }),
  },
  'a server that sends 100 Continue, which nobody requested': {
    ...failsAt('files.getUploadURLExternal', { kind: 'informational', status: 100 }),
    error: 'UNREQUESTED_100',
  },
  'a Node without WebAssembly': {
    nodeOptions: ['--jitless'],
    error: 'NO_WEBASSEMBLY',
  },
  'a server that never responds': {
    ...failsAt('files.getUploadURLExternal', { kind: 'silence' }),
    error: 'STALLED',
  },
  'a server that responds ok before it has the file': {
    files: { 'a.csv': Buffer.alloc(8_000_000, 'x') },
    ...failsAt('upload-bytes', { kind: 'response', status: 200, early: true }),
  },
  'a certificate of an unknown authority': {
    service: { tls: good },
    error: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  },
  'a certificate for another name': {
    env: trusting,
    nodeOptions: [...withClock().nodeOptions, ...resolveToLoopback],
    inputs: { 'base-url': `https://${otherName}` },
    error: 'ERR_TLS_CERT_ALTNAME_INVALID',
  },
  'a certificate that has expired': {
    service: { tls: { key, cert: expired } },
    env: trusting,
    error: 'CERT_HAS_EXPIRED',
  },
  'a server with an old TLS': {
    inputs: { 'base-url': `https://127.0.0.1:${oldTls}` },
    error: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  },
  'a certificate with a weak key': {
    env: trusting,
    inputs: { 'base-url': `https://127.0.0.1:${weakTls}` },
    error: 'UNSPECIFIED',
  },
  'an upload host that is blocked while the service responds': {
    prepare: ({ workspace }) =>
      workspace.set({ uploadUrl: `http://127.0.0.1:${closedPort}/upload/` }),
  },
  'an upload host that the proxy blocks while the service responds': {
    ...proxied(proxyUrl(strictProxy.port)),
    prepare: ({ workspace }) => workspace.set({ uploadUrl: 'https://files.example/upload/' }),
  },
  'a proxy that wants another password': unreached('proxy_407', {
    HTTPS_PROXY: proxyUrl(proxy.port, `wrong-${password}`),
  }),
  'a proxy that does not allow the host': unreached('proxy_403', {
    HTTPS_PROXY: proxyUrl(strictProxy.port),
  }),
  'a proxy that hangs up': unreached('UND_ERR_PRX_CONN', {
    HTTPS_PROXY: proxyUrl(hangUp),
  }),
  'a proxy that says nothing': unreached('UND_ERR_HEADERS_TIMEOUT', {
    HTTPS_PROXY: proxyUrl(silentProxy),
  }),
  'a proxy that is not there': unreached('PROXY_UNREACHABLE', {
    HTTPS_PROXY: proxyUrl(closedPort),
  }),
  'a SOCKS proxy': proxied(`socks5://${user}:secret-secret@127.0.0.1:1080`),
}

const passing: Readonly<Record<string, Situation>> = {
  'by HTTPS_PROXY with user and password': underName({ HTTPS_PROXY: proxyUrl(proxy.port) }),
  'by https_proxy with https of the step, if the runner has set another proxy': underName({
    HTTPS_PROXY: proxyUrl(closedPort),
    https_proxy: proxyUrl(tlsProxy).replace('http:', 'https:').replace('127.0.0.1', 'localhost'),
  }),
  'with any certificate, if Node is told to check none': {
    service: { tls: good },
    env: { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
  },
  'at a distance': { nodeOptions: [...withClock().nodeOptions, ...distant.nodeOptions] },
  'by http_proxy with user and password, at a distance': {
    ...underName({ http_proxy: proxyUrl(proxy.port) }),
    nodeOptions: [...withClock().nodeOptions, ...distant.nodeOptions],
  },
  'by a proxy that allows six connections': {
    ...underName({ HTTPS_PROXY: proxyUrl(narrowProxy.port) }),
    // A busy proxy needs real time to see that a connection was closed.
    ...withClock(4),
    files: Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`report-${index}.csv`, 'a,b\n']),
    ),
  },
  'by a proxy that says nothing to its first six connections': {
    ...underName({ HTTPS_PROXY: proxyUrl(startingProxy) }, 3),
    files: Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`${index}.csv`, 'a,b\n'])),
  },
  'by a proxy that is busy at first': underName({ HTTPS_PROXY: proxyUrl(busyProxy.port) }),
  'past the proxy, if NO_PROXY names it': {
    ...underName({ HTTPS_PROXY: proxyUrl(strictProxy.port), NO_PROXY: host }),
    nodeOptions: [...withClock().nodeOptions, ...resolveToLoopback],
  },
}

const done = new Map<string, Done>()

beforeAll(async () => {
  const run = async ([situation, step]: readonly [string, Situation]) => {
    const { env, inputs, ...rest } = step
    const result = await runStep({
      ...withClock(),
      ...rest,
      inputs: (sandbox) => ({
        method: 'external',
        ...(typeof inputs === 'function' ? inputs(sandbox) : inputs),
      }),
      env: { RUNNER_DEBUG: '1', ...env },
    })
    done.set(situation, result)
  }
  // They mostly wait. With many more at once, the fast clock would make the machine seem slow.
  await pMap(Object.entries({ ...failing, ...passing }), run, { concurrency: 12 })
})

/** Also checks that no secret is shown. */
function resultOf(situation: string): Done {
  const result = done.get(situation)
  if (result === undefined) throw new Error('It did not run')
  expect(result.stderr).toBe('')
  const secrets = [result.token, password, encodeURIComponent(password), basic]
  expect(secrets.flatMap((secret) => leaked(result, secret))).toEqual([])
  return result
}

test.each(Object.entries(failing))(
  'one error says what is wrong, and nothing is uploaded: %s',
  (situation, { error }) => {
    const result = resultOf(situation)
    expect(result).toMatchObject({ code: 1, messages: [], outputs: { status: 'failed' } })
    // Either a read or a write notices the reset first.
    const shown = annotations(result)
      .replaceAll(noHost, host)
      .replace(/`(read|write) (?=ECONNRESET`)/, '`read ')
    if (error === undefined) {
      expect(errorsIn(result)).toHaveLength(1)
      expect(shown).toMatchSnapshot()
      return
    }
    const { isPermanent, title } = adviceFor(error)
    expect(errorsIn(result)).toEqual([{ title, text: expect.stringContaining(error) }])
    // On a busy machine, an earlier attempt may have had no time to connect.
    const attempts =
      result.stdout.split(`::debug::files.getUploadURLExternal: no response, ${error}, `).length - 1
    expect(attempts === 1).toBe(isPermanent === true)
  },
)

test.each(Object.keys(passing))('the service is reached %s', (situation) => {
  expect(resultOf(situation)).toMatchObject({ code: 0, outputs: { status: 'posted' } })
})

test('a step that checks no certificate is warned, and no other', () => {
  const isWarned = (situation: string) =>
    annotations(resultOf(situation)).includes('Warning: No certificate is checked')
  expect(Object.keys(passing).filter(isWarned)).toEqual([
    'with any certificate, if Node is told to check none',
  ])
})

test('the proxy was asked, with user and password, which are masked as they are written and as they are sent', () => {
  // Each of the three runs connects at least once.
  expect(proxy.stats.connectRequestCount).toBeGreaterThanOrEqual(3)
  const masks = resultOf('by HTTPS_PROXY with user and password').stdout.match(
    /(?<=^::add-mask::).*$/gm,
  )
  const secrets = [encodeURIComponent(password), password].map((secret) =>
    secret.replaceAll('%', '%25'),
  )
  expect(masks?.slice(1, 3)).toEqual(secrets)
})

test('each network error of the table was met for real', () => {
  const network = errorCodes.filter((entry) =>
    entry.codes.some((code) => /^([A-Z]|proxy_)/.test(code)),
  )
  const met = Object.keys(failing).flatMap((situation) =>
    errorsIn(resultOf(situation)).map(({ title }) => title),
  )
  const missing = network.map(({ title }) => title).filter((title) => !met.includes(title))
  // server-in-the-same-network.test.ts has the first. If the run ends first, its own problem is
  // reported.
  expect(missing.sort()).toEqual([
    'Plain http is only for a private network',
    'The run ended before the request was over',
  ])
})
