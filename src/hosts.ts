import { BlockList, isIP } from 'node:net'
import { type Text, text } from './text/text.ts'

const addresses = new BlockList()
addresses.addSubnet('127.0.0.0', 8)
addresses.addAddress('::1', 'ipv6')

/** Slack's own hosts, commercial and government. */
export function isSlack({ hostname }: Pick<URL, 'hostname'>): boolean {
  return /(^|\.)slack(-gov)?\.com$/.test(hostname)
}

/** What texts call the service: `Slack`, or its host. */
export function serviceName(baseUrl: URL): Text {
  return isSlack(baseUrl) ? text`Slack` : text`${baseUrl.host}`
}

/** Whether a URL certainly leads to this machine: plain HTTP is allowed only there. */
export function isLoopback({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  return family === 0 ? /^localhost\.?$/.test(host) : addresses.check(host, family === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Whether requests to a URL go through no proxy, because it is meant to lead to this machine. Names below `localhost` are reserved
 * for that (RFC 6761), but a name server can answer otherwise: plain HTTP is not allowed for them.
 */
export function bypassesProxy(url: URL): boolean {
  return isLoopback(url) || /\.localhost\.?$/.test(url.hostname)
}
