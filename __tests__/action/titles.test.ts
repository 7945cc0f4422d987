// The titles of the files in the channel: the input `title`.
import { expect, test } from '@jest/globals'
import { type Done, runStep } from '../support/step.ts'

const files = { 'api/coverage.csv': 'line,hits\n1,2\n', 'page/coverage.csv': 'line,hits\n1,3\n' }
const titlesOf = ({ messages }: Done) => messages.flatMap((message) => message.files.map(({ title }) => title))
const fieldsOf = ({ requests }: Done) => requests.map(({ fields }) => fields.map(([name]) => name))

test('is the name by default, with both upload methods', async () => {
  const external = await runStep({ files })
  expect(titlesOf(external)).toEqual(['coverage (api).csv', 'coverage (page).csv'])
  const classic = await runStep({ files, inputs: { method: 'files.upload', title: '{name}' } })
  expect(titlesOf(classic)).toEqual(['coverage (api).csv', 'coverage (page).csv'])
  const usual = ['initial_comment', 'channels']
  expect(fieldsOf(classic)).toEqual([usual, usual])
})

test.each(['external', 'files.upload'])('holds the name where the placeholder is: %s', async (method) => {
  const done = await runStep({ files, inputs: { method, title: 'v1.2.0 {name} $& ({name})' } })
  expect(titlesOf(done)).toEqual([
    'v1.2.0 coverage (api).csv $& (coverage (api).csv)',
    'v1.2.0 coverage (page).csv $& (coverage (page).csv)',
  ])
  if (method === 'files.upload') expect(fieldsOf(done)[0]).toEqual(['initial_comment', 'channels', 'title'])
})
