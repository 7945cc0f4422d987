import { expect, test } from '@jest/globals'
import { certificateWarnings, checkProxies, maskProxies } from '../../../src/inputs/proxy.ts'
import { problemsOfError } from '../../../src/problem.ts'
import { quoted } from '../../../src/text/text.ts'
import { withEnvironment } from '../../support/environment.ts'
import { grid } from '../../support/grid.ts'
import { stdoutOf } from '../../support/stdout.ts'

test('certificates that are not checked are a warning', () => {
  const titles = ['0', '1', ''].map((value) =>
    withEnvironment({ NODE_TLS_REJECT_UNAUTHORIZED: value }, certificateWarnings).map(
      ({ level, title }) => `${level}: ${title}`,
    ),
  )
  expect(titles).toEqual([['warning: No certificate is checked'], [], []])
})

test('a proxy is an HTTP proxy, and another value is not shown', async () => {
  const addresses = `
http://proxy.example:3128
http://proxy.example:3128/
https://user:p%40ss@proxy.example
proxy.example:3128
ftp://proxy.example
shttp://proxy.example
notsocks://proxy.example
http-socks5://proxy.example
http2://proxy.example
socks://proxy.example
socks5://user:secret@proxy.example
socks5h://proxy.example
http://user:p%zz@proxy.example
http://us%zzer@proxy.example
http://proxy.example/path
http://proxy.example?query
http://proxy.example#hash
`
  const wrong =
    /^`https_proxy` is not the URL of an HTTP proxy\.\nWrite it with its scheme, like `http:\/\/proxy\.example:3128` or `http:\/\/user:password@proxy\.example:3128`\. Percent-encode special characters in the user and the password \(`@` as `%40`\)\. The action can't use a SOCKS proxy: leave the variable empty for this step\.$/
  const check = (address: string) => {
    const problems = invalidProxies({ https_proxy: address })
    if (problems.length === 0) return address
    expect(() => withEnvironment({ https_proxy: address }, checkProxies)).toThrow(wrong)
    return 'refused'
  }
  expect(await grid(addresses, check)).toMatchInlineSnapshot(`
"http://proxy.example:3128
http://proxy.example:3128/
https://user:p%40ss@proxy.example
proxy.example:3128
    refused
ftp://proxy.example
    refused
shttp://proxy.example
    refused
notsocks://proxy.example
    refused
http-socks5://proxy.example
    refused
http2://proxy.example
    refused
socks://proxy.example
    refused
socks5://user:secret@proxy.example
    refused
socks5h://proxy.example
    refused
http://user:p%zz@proxy.example
    refused
http://us%zzer@proxy.example
    refused
http://proxy.example/path
    refused
http://proxy.example?query
    refused
http://proxy.example#hash
    refused"
`)
})

test.each<[environment: NodeJS.ProcessEnv, invalid: readonly string[]]>([
  [{ https_proxy: 'x', http_proxy: 'y' }, ['https_proxy', 'http_proxy']],
  [{ HTTPS_PROXY: 'x', HTTP_PROXY: 'http://proxy.example' }, ['HTTPS_PROXY']],
  [{ HTTP_PROXY: 'x', http_proxy: 'http://proxy.example' }, []],
  // As in curl, an empty lower-case variable turns the proxy off.
  [{ HTTPS_PROXY: 'x', https_proxy: '' }, []],
  [{ NO_PROXY: 'x' }, []],
])('of %j, these are invalid: %j', (environment, invalid) => {
  expect(invalidProxies(environment)).toEqual(
    invalid.map((name) => `Invalid proxy address: \`${name}\``),
  )
})

/** Names of the variables in the error. */
function invalidProxies(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    withEnvironment(environment, checkProxies)
    return []
  } catch (error) {
    return problemsOfError(error).map(
      ({ text, title }) => `${title}: ${quoted(text).split(' ')[0]}`,
    )
  }
}

test.each([
  ['the password, encoded and decoded', 'http://m%65:p%40ss@proxy.example', ['p%40ss', 'p@ss']],
  ['the password without a user', 'http://:pass@proxy.example', ['pass']],
  ['what cannot be decoded', 'http://m%zz:p%zz@proxy.example', ['p%zz']],
  ['no user without a password', 'http://made-up@proxy.example', []],
  ['nothing of what is not a URL', 'proxy', []],
])('a mask hides %s', (_situation, address, masked) => {
  const commands = stdoutOf(() =>
    withEnvironment({ https_proxy: address, GITHUB_ACTIONS: 'true' }, maskProxies),
  )
  expect(commands).toBe(
    masked.map((mask) => `::add-mask::${mask.replaceAll('%', '%25')}\n`).join(''),
  )
})
