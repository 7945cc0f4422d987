import { type Text, text } from './text/text.ts'

/** Slack's own hosts, commercial and government. */
export function isSlack({ hostname }: Pick<URL, 'hostname'>): boolean {
  return /(^|\.)slack(-gov)?\.com$/.test(hostname)
}

/** What texts call the service: `Slack`, or its host. */
export function serviceName(baseUrl: URL): Text {
  return isSlack(baseUrl) ? text`Slack` : text`${baseUrl.host}`
}

/**
 * Whether a URL certainly leads to this machine. Only there, plain HTTP is allowed, and no proxy is
 * used.
 */
export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** Whether nobody between can read what is sent to the URL. */
export function isProtected(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
}
