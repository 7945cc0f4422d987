import { maskSecret } from '../context.ts'
import { errorProblem, type Problem, ProblemError, warning } from '../problem.ts'
import { text } from '../text/text.ts'

/** As in curl and undici, the name in lower case wins. */
function proxies(): readonly (readonly [name: string, address: string])[] {
  return ['https_proxy', 'http_proxy'].flatMap((lower) => {
    const name = lower in process.env ? lower : lower.toUpperCase()
    const address = process.env[name]
    return address ? [[name, address] as const] : []
  })
}

/** An error about a proxy could show its password. */
export function maskProxies(): void {
  for (const [, address] of proxies()) {
    const { password = '' } = URL.parse(address) ?? {}
    for (const hidden of new Set([password, decode(password) ?? password])) maskSecret(hidden)
  }
}

/**
 * @throws ProblemError with one problem per wrong variable, without its value, which may hold a
 *   password
 */
export function checkProxies(): void {
  const problems = proxies().flatMap(([name, address]) => {
    if (isHttpProxy(URL.parse(address))) return []
    const explanation = text`${name} is not the URL of an HTTP proxy.\nWrite it with its scheme, like \`http://proxy.example:3128\` or \`http://user:password@proxy.example:3128\`. Percent-encode special characters in the user and the password (\`@\` as \`%40\`). The action can't use a SOCKS proxy: leave the variable empty for this step.`
    return [errorProblem('Invalid proxy address', explanation, 'proxies')]
  })
  if (problems.length > 0) throw new ProblemError(...problems)
}

export function certificateWarnings(): readonly Problem[] {
  if (process.env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return []
  const explanation = text`\`NODE_TLS_REJECT_UNAUTHORIZED=0\` switches that off: anybody between the runner and the service could receive token and files.\nRemove it, and name the certificate of your own authority in \`NODE_EXTRA_CA_CERTS\`.`
  return [warning('No certificate is checked', explanation)]
}

/** undici's support of SOCKS is experimental and ignores the limits of `createHttp`. */
function isHttpProxy(url: URL | null): boolean {
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  // undici refuses a path, query or fragment.
  return (
    /^\/?$/.test(url.pathname + url.search + url.hash) &&
    decode(url.username + url.password) !== undefined
  )
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
