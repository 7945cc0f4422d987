import { expect, test } from '@jest/globals'
import { withPreload } from '../support/preload.ts'
import { errorsIn, runStep } from '../support/step.ts'

/** What Node 20 lacks, and what the action or its libraries use of it. */
const asOnNode20 = `
  Object.defineProperty(process.versions, 'node', { value: '20.20.2' })
  delete Map.groupBy
  delete Object.groupBy
  delete Promise.withResolvers
  delete URL.parse
  delete Set.prototype.union
`

const newRunner =
  'Update the runner, which brings Node 24 (on GitHub Enterprise Server to 2.327.1 or later). If another program starts the action, give it Node 24.'

test.each([
  ['x64', newRunner],
  ['arm', 'On Linux for 32-bit ARM, the runner has only Node 20: use a 64-bit system.'],
])('on Node 20 the step fails before anything is sent, and says which runner is needed: %s', async (arch, remedy) => {
  const onThis = `Object.defineProperty(process, 'arch', { value: '${arch}' })`
  const done = await runStep(withPreload(asOnNode20 + onThis))
  expect(done).toMatchObject({ code: 1, requests: [], stderr: '' })
  expect(errorsIn(done)).toEqual([
    {
      title: 'This Node is too old',
      text: `The action was started on Node 20.20.2, and needs Node 24 or later.\n${remedy}`,
    },
  ])
})
