import { BlockList, isIP } from 'node:net'

/** Slack's own hosts, commercial and government. */
export function isSlack(hostname: string): boolean {
  return /(^|\.)slack(-gov)?\.com$/.test(hostname)
}

/** The host of a URL that certainly leads to this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** Nobody in between can read the request. */
export function isProtected(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

/** Private and shared addresses, and this machine: RFC 1918, 6598, 4193 and 6890. */
const privateNetworks = new BlockList()
privateNetworks.addSubnet('10.0.0.0', 8)
privateNetworks.addSubnet('172.16.0.0', 12)
privateNetworks.addSubnet('192.168.0.0', 16)
privateNetworks.addSubnet('100.64.0.0', 10)
privateNetworks.addSubnet('127.0.0.0', 8)
privateNetworks.addSubnet('fc00::', 7, 'ipv6')
privateNetworks.addAddress('::1', 'ipv6')
/** The host of a container, from Podman 5.3 on without root (pasta's `--map-guest-addr`). */
privateNetworks.addAddress('169.254.1.2')

/**
 * Link-local addresses are not private but for one, since the metadata service of a cloud has one.
 * Such services inside the private networks are not refused. A name's addresses are judged at the
 * lookup.
 *
 * @param host from a URL or a DNS lookup
 */
export function mayBePrivate(host: string): boolean {
  const address = host.replace(/[[\]]/g, '')
  const family = isIP(address)
  return family === 0 || privateNetworks.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
