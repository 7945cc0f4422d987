// Preloaded into the action: limits it to this machine, and writes its peak memory in bytes to the
// file FUZZ_MEMORY_FILE. JavaScript, because loading TypeScript takes Node tens of megabytes.
import dns from 'node:dns'
import { readFileSync, writeFileSync } from 'node:fs'
import net from 'node:net'

const file = process.env.FUZZ_MEMORY_FILE
const loopback = /^(127\.|::1$|localhost$)/

// A name that changes its addresses. 0.0.0.0 counts as public, but leads to this machine.
const addresses = [['127.0.0.1'], ['0.0.0.0', '127.0.0.1'], ['127.0.0.1'], ['0.0.0.0'], []]
let lookups = 0

const { lookup } = dns
dns.lookup = (name, ...rest) => {
  if (name !== 'changing.example')
    return lookup(loopback.test(name) ? name : 'unknown.invalid', ...rest)
  const found = addresses[lookups++ % addresses.length]
  process.nextTick(
    rest.at(-1),
    null,
    found.map((address) => ({ address, family: 4 })),
  )
}

const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (...values) {
  const [{ host = '' } = {}] = values.flat()
  this.on('connectionAttempt', (address) => {
    if (address === '0.0.0.0') console.error('A public address got a connection')
  })
  if (net.isIP(host) && !loopback.test(host)) {
    process.nextTick(() =>
      this.destroy(
        Object.assign(new Error(`connect EHOSTUNREACH ${host}`), { code: 'EHOSTUNREACH' }),
      ),
    )
    return this
  }
  return connect.apply(this, values)
}

if (file !== undefined && process.platform === 'linux') {
  process.on('exit', () => {
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    writeFileSync(file, String(Number(kilobytes) * 1024))
  })
}
