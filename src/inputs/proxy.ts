import { maskSecret } from '../context.ts'
import { ProblemError } from '../problem.ts'
import { code, type Text, text } from '../text/text.ts'

/** The proxy variables that are set. As curl and undici do, the name in lower case wins. */
function proxies(): readonly (readonly [name: string, address: string])[] {
  return ['https_proxy', 'http_proxy'].flatMap((lower) => {
    const name = lower in process.env ? lower : lower.toUpperCase()
    const address = process.env[name]
    return address ? [[name, address] as const] : []
  })
}

/** Masks the password of a proxy: errors about the proxy could show it. */
export function maskProxies(): void {
  for (const [, address] of proxies()) {
    const { password = '' } = URL.parse(address) ?? {}
    if (password === '') continue
    for (const hidden of new Set([password, decode(password) ?? password])) maskSecret(hidden)
  }
}

/**
 * The value of a proxy variable is not shown: it may hold a password.
 *
 * @throws ProblemError with one problem for each proxy variable that is not the URL of a proxy
 */
export function checkProxies(): void {
  const problems = proxies().flatMap(([name, address]) => {
    const problem = problemWith(address)
    return problem ? [{ title: 'Invalid proxy address', text: text`${code(name)} ${problem}` }] : []
  })
  if (problems.length > 0) throw new ProblemError(...problems)
}

/** Why the address is not that of a proxy that the action can use, if it is not. */
function problemWith(address: string): Text | undefined {
  const url = URL.parse(address)
  // undici's support of SOCKS is experimental, and drops the limits of time and size that `createHttp` sets.
  if (url !== null && /^socks\w*:$/.test(url.protocol)) {
    return text`names a SOCKS proxy, which the action cannot use.\nName an HTTP proxy, such as ${code('http://proxy.example:3128')}, or leave the variable empty for this step.`
  }
  return url !== null && isHttpProxy(url)
    ? undefined
    : text`is not the URL of a proxy.\nWrite it with its scheme, such as ${code('http://proxy.example:3128')} or ${code('http://user:password@proxy.example:3128')}. Percent-encode special characters in user and password (${code('@')} as ${code('%40')}).`
}

function isHttpProxy(url: URL): boolean {
  if (!/^https?:$/.test(url.protocol)) return false
  // undici takes no path, query or fragment.
  return /^\/?$/.test(url.pathname + url.search + url.hash) && decode(url.username + url.password) !== undefined
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
