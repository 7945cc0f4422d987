import { describe, expect, test } from '@jest/globals'
import { readBaseUrl } from '../../../src/inputs/base-url.ts'
import { refusalOf, withInputs } from '../../support/with-inputs.ts'

const refusal = (url: string) => refusalOf({ 'base-url': url }, readBaseUrl)

describe('a base-url', () => {
  test.each([
    ['', 'https://slack.com/'],
    ['https://SLACK.com', 'https://slack.com/'],
    ['HTTPS://chat.example.com', 'https://chat.example.com/'],
    ['https://chat.example.com:8443/team/', 'https://chat.example.com:8443/team/'],
    ['https://chat.example.com/api-gateway/x', 'https://chat.example.com/api-gateway/x'],
    ['https://chat.example.com/api/v1/x', 'https://chat.example.com/api/v1/x'],
    ['https://api.example.com', 'https://api.example.com/'],
    ['http://localhost:8080', 'http://localhost:8080/'],
    ['http://127.0.0.1', 'http://127.0.0.1/'],
    ['http://[::1]:8080', 'http://[::1]:8080/'],
    ['https://localhost', 'https://localhost/'],
  ])('of %j is %s', (url, href) => {
    expect(withInputs({ 'base-url': url }, readBaseUrl).href).toBe(href)
  })

  test.each([
    ['chat.example.com', 'https://chat.example.com'],
    ['chat.example.com:8443/team', 'https://chat.example.com:8443/team'],
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1/api', 'http://127.0.0.1'],
    ['/chat.example.com', 'https://chat.example.com'],
    ['chat.example.com/x://y', 'https://chat.example.com/x://y'],
  ])('without a scheme is refused: %s', (url, corrected) => {
    expect(refusal(url)).toBe(`\`base-url\` is \`${url}\`, which has no scheme. Write \`${corrected}\`.`)
  })

  test.each([
    ['http://chat.example.com/team', 'https://chat.example.com/team'],
    ['http://localhost.example.com', 'https://localhost.example.com'],
    ['ftp://chat.example.com', 'https://chat.example.com'],
    ['git+ssh://chat.example.com', 'https://chat.example.com'],
    ['h2c://chat.example.com', 'https://chat.example.com'],
    ['ftp://localhost', 'http://localhost'],
  ])('without TLS is refused: %s', (url, corrected) => {
    expect(refusal(url)).toContain(`\`, but the token is sent only over https, or over http to this machine. Write`)
    expect(refusal(url)).toContain(`Write \`${corrected}\`.`)
  })

  test.each([
    ['https://slack.com/api', 'https://slack.com'],
    ['https://slack.com/api/', 'https://slack.com'],
    ['https://localhost/api', 'https://localhost'],
    ['http://localhost/api', 'http://localhost'],
    ['https://chat.example.com/team//api/files.upload', 'https://chat.example.com/team'],
    ['https://chat.example.com/api/files.upload//', 'https://chat.example.com'],
    ['https://chat.example.com/api/api', 'https://chat.example.com'],
  ])('with /api is refused: %s', (url, corrected) => {
    expect(refusal(url)).toBe(
      `\`base-url\` is \`${url}\`, but the action adds \`/api\` and the method itself. Write \`${corrected}\`.`,
    )
  })

  test.each([
    ['https://chat.example.com/?key=made-up', 'https://chat.example.com/', 'query', 'https://chat.example.com'],
    [
      'https://chat.example.com/team#made-up',
      'https://chat.example.com/team',
      'fragment',
      'https://chat.example.com/team',
    ],
    ['https://slack.com?made-up\n#made-up', 'https://slack.com', 'query', 'https://slack.com'],
  ])('with a query or fragment is refused, and that is not shown: %j', (url, shown, what, corrected) => {
    expect(refusal(url)).toBe(
      `\`base-url\` is \`${shown}\`, followed by a ${what} (not shown). Write \`${corrected}\`.`,
    )
  })

  test.each([
    'https://me:made-up@chat.example.com',
    'https://made-up@chat.example.com',
    'https://:made-up@chat.example.com',
    'me:made-up@chat.example.com',
  ])('with a user or a password is refused, and they are not shown: %s', (url) => {
    expect(refusal(url)).toBe(
      '`base-url` contains a user name or a password. Remove them: the token goes into the input `token`.',
    )
  })

  test.each([
    ['https://', 'https://'],
    ['https://chat.example.com:99999', 'https://chat.example.com:99999'],
    ['HTTPS://me:made-up@chat.example.com:99999', 'HTTPS://…@chat.example.com:99999'],
    ['me:made-up\n@made-up@chat.example.com:99999', '…@chat.example.com:99999'],
    ['chat.example.com:99999/?made-up\nmade-up', 'chat.example.com:99999/'],
    ['chat.example.com:99999/#made-up', 'chat.example.com:99999/'],
  ])('that is not a URL is refused, and shown without secrets: %j', (url, shown) => {
    expect(refusal(url)).toBe(
      `\`base-url\` is \`${shown}\`, which is not a URL. Write one such as \`https://chat.example.com\`.`,
    )
  })

  test.each([
    ['https://hooks.slack.com/services/made-up', 'has the host of webhooks'],
    ['hooks.slack.com', 'has the host of webhooks'],
    ['https://app.slack.com/client/T0123456789', 'has the host `app.slack.com`, which is for people'],
    ['https://api.slack.com/methods', 'has the host `api.slack.com`, which is for people'],
  ])('on another host of Slack is refused: %s', (url, words) => {
    expect(refusal(url)).toContain(words)
    expect(refusal(url)).toContain('Write `https://slack.com`')
    expect(refusal(url)).not.toContain('made-up')
  })
})
