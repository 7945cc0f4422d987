import { isLoopback } from '../hosts.ts'
import { code, type Text, text, words } from '../text/text.ts'
import { InvalidInputError, readText, showValue } from './read.ts'

/**
 * The address of the service, without `/api`.
 *
 * @throws InvalidInputError
 */
export function readBaseUrl(): URL {
  const input = readText('base-url')
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(input)
  const url = URL.parse(hasScheme ? input : `https://${input || 'slack.com'}`)
  if (url === null) {
    // What comes before @ may be a password, and what follows ? or # a secret.
    const shown = showValue(input.replace(/^([a-z]+:\/\/)?.*@/is, '$1…@').replace(/[?#].*/s, ''))
    throw new InvalidInputError(
      text`${code('base-url')} is ${shown}, which is not a URL. Write one such as ${code('https://chat.example.com')}.`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidInputError(
      text`${code('base-url')} contains a user name or a password. Remove them: the token goes into the input ${code('token')}.`,
    )
  }
  if (url.hostname === 'hooks.slack.com') {
    throw new InvalidInputError(
      text`${code('base-url')} has the host of webhooks, which cannot take files. Write ${code('https://slack.com')}, and use an access token as ${code('token')}.`,
    )
  }
  if (url.hostname === 'app.slack.com' || url.hostname === 'api.slack.com') {
    throw new InvalidInputError(
      text`${code('base-url')} has the host ${url.host}, which is for people, not for uploads. Write ${code('https://slack.com')}.`,
    )
  }
  const loopback = isLoopback(url)
  // The lookbehind keeps the time linear: a run of slashes is tried from its first one only.
  const path = url.pathname.replace(/(?<!\/)\/+api(\/[^/]*)?\/*$/, '')
  const scheme = loopback && !input.startsWith('https:') ? 'http' : 'https'
  const corrected = `${scheme}://${url.host}${path === '/' ? '' : path}`
  const refuse = (why: Text): never => {
    // What follows ? or # may be a secret.
    const shown = showValue(input.replace(/[?#].*/s, ''))
    throw new InvalidInputError(text`${code('base-url')} is ${shown}${why}. Write ${corrected}.`)
  }
  if (!hasScheme && input !== '') refuse(text`, which has no scheme`)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    refuse(text`, but the token is sent only over https, or over http to this machine`)
  }
  if (url.search !== '' || url.hash !== '')
    refuse(text`, followed by a ${words(url.search === '' ? 'fragment' : 'query')} (not shown)`)
  if (path !== url.pathname) refuse(text`, but the action adds ${code('/api')} and the method itself`)
  return url
}
