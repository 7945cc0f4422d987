import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, jest, test } from '@jest/globals'
import { Recorder } from '../../sandbox/recorder.ts'
import { grid } from '../support/grid.ts'

/** Runs of requests that each have their own connection, from `path, seconds before it`. */
function runsOf(requests: string): readonly number[] {
  const recorder = new Recorder(() => new Map())
  let now = 0
  jest.spyOn(Date, 'now').mockImplementation(() => now)
  return requests.split(', ').map((request) => {
    const [path, seconds = 0] = request.split(' after ')
    now += Number(seconds) * 1000
    const socket = new EventEmitter()
    const sent = { url: `/api/${path}`, headers: {}, rawHeaders: [], socket }
    const { run } = recorder.begin(sent as unknown as IncomingMessage, 'api')
    socket.emit('close')
    return run
  })
}

test('a run is recognized by its connections and methods', async () => {
  const requests = `
files.upload, files.upload after 0.5
files.upload, files.upload after 9
chat.getPermalink, files.upload after 0.5, auth.test after 0.5
files.completeUploadExternal, files.info after 9, files.completeUploadExternal after 9
`
  expect(await grid(requests, runsOf)).toMatchInlineSnapshot(`
"files.upload, files.upload after 0.5
    [1,1]
files.upload, files.upload after 9
    [1,2]
chat.getPermalink, files.upload after 0.5, auth.test after 0.5
    [1,2,3]
files.completeUploadExternal, files.info after 9, files.completeUploadExternal after 9
    [1,1,1]"
`)
})
