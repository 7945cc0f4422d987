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

test('on Node 20 the step fails before anything is sent, and says which runner is needed', async () => {
  const done = await runStep(withPreload(asOnNode20))
  expect(done).toMatchObject({ code: 1, requests: [], stderr: '' })
  expect(errorsIn(done)).toEqual([
    {
      title: 'This Node is too old',
      text: 'The action was started on Node 20.20.2, and needs Node 24 or later.\nUpdate the runner to 2.327.1 or later, which brings Node 24; on 32-bit ARM, no runner does: use another machine. If another program starts the action, give it Node 24.',
    },
  ])
})
