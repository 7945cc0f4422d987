import { describe, expect, test } from '@jest/globals'
import { ProblemError } from '../../../../src/problem.ts'
import { readUploadUrl } from '../../../../src/service/slack/external-upload.ts'
import { tokenRemover } from '../../../../src/text/token.ts'
import { foundFile } from '../../../support/scripted-service.ts'

const token = 'xoxb-made-up-for-this-test'
const file = foundFile('a.csv')
const read = (url: unknown, id: unknown = 'F1') =>
  readUploadUrl({ file_id: id, upload_url: url }, file, tokenRemover(token))

describe('An upload URL', () => {
  test.each(['https://files.example/u?a=b', 'https://files.example/?a', 'http://127.0.0.1:8080/u'])(
    'is used: %s',
    (url) => {
      expect(read(url)).toEqual({ id: 'F1', url: new URL(url) })
    },
  )

  test.each([
    ['no URL', undefined, 'no usable `file_id` or no `upload_url`'],
    ['an empty URL', '', 'no usable `file_id` or no `upload_url`'],
    ['no address', 'files', 'an upload URL that is not https'],
    ['a path', '/upload/v1/1', 'an upload URL that is not https'],
    ...['http://files.example/u', 'http://127.0.0.1.files.example/u', 'ftp://127.0.0.1/u', 'file:///etc/hostname'].map(
      (url) => ['another protocol', url, 'an upload URL that is not https'] as const,
    ),
    ...['javascript:alert(1)', 'data:text/plain,x'].map(
      (url) => ['no web address', url, 'an upload URL that is not https'] as const,
    ),
    ['the token', `https://files.example/u?t=${token}`, 'an upload URL that contains the token'],
  ])('is refused if it has or is %s', (_what, url, why) => {
    let thrown: unknown
    try {
      read(url)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(ProblemError)
    const { message, problems } = thrown as ProblemError
    expect(problems[0]?.title).toBe('The service gave no usable upload URL')
    expect(message).toBe(
      `\`out/a.csv\` could not be uploaded: the service responded with ${why}.\nIs \`base-url\` the address of the service itself?`,
    )
  })

  test('is one address, whatever its fragment', () => {
    expect(read('https://files.example/u#1').url.href).toBe('https://files.example/u')
  })

  test('is refused without a usable file ID', () => {
    for (const id of ['', 'a b', 1]) expect(() => read('https://files.example/u', id)).toThrow('no usable `file_id`')
  })
})
