// The file that GITHUB_EVENT_PATH names: the runner writes it, and other steps of the job can change it. `unit/context.test.ts` has
// what is read of it.
import { expect, test } from '@jest/globals'
import { runStep } from '../support/step.ts'

test('an event file that cannot be read does not stop the run, and is not sent either', async () => {
  const done = await runStep({
    files: { 'a.csv': 'a,b\n', 'event.json': 'not JSON' },
    inputs: { files: 'a.*\nevent.*', comment: 'From {source}' },
    eventName: 'release',
    env: { GITHUB_EVENT_PATH: 'event.json' },
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
  expect(done.messages).toMatchObject([{ text: expect.stringMatching(/^From octo-org\/octo-repo@v1\.2\.0/) }])
  expect(done.stdout).toContain('::warning title=The run continues without its event::')
})
