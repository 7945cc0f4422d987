import { access } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { defaults } from '../../src/inputs/input-names.ts'
import { renderOutputs } from '../../src/report/outputs.ts'
import { describeRun } from '../../src/report/report.ts'
import { choices } from '../fuzz/cases.ts'
import { inputNames, outputNames } from '../support/declared.ts'
import { runReport } from '../support/report-runs.ts'
import { read, root } from '../support/repository.ts'

const action = parse(read('action.yml'))

test('the inputs are those that are read', () => {
  expect(inputNames).toEqual(Object.keys(defaults))
})

test('an empty input means what the default in action.yml says', () => {
  const names = Object.keys(defaults)
  const declared = names.map((name) => [name, action.inputs[name].default ?? ''])
  expect(declared).toEqual(names.map((name) => [name, Reflect.get(defaults, name)]))
})

test('the outputs are exactly those that are set', () => {
  expect(outputNames).toEqual(
    Object.keys(renderOutputs(describeRun(runReport({ status: 'posted' }))).values),
  )
})

test('the fuzzing tries every input', () => {
  const ofTheService = ['token', 'channels', 'files', 'base-url', 'timeout-minutes']
  expect([...ofTheService, ...Object.keys(choices)].sort()).toEqual([...inputNames].sort())
})

test('editors ask for the token, the channels and the files, and for nothing else', () => {
  const required = Object.entries<{ readonly required: boolean }>(action.inputs).filter(
    ([, input]) => input.required,
  )
  expect(required.map(([name]) => name)).toEqual(['token', 'channels', 'files'])
})

test('it runs on Node 24, from a bundle that is there, and is shown with an icon', async () => {
  expect(action.runs).toEqual({ using: 'node24', main: 'dist/index.js' })
  await access(new URL(action.runs.main, root))
  const text = expect.any(String)
  expect(action).toMatchObject({ name: text, author: text, description: text })
  expect(action.description).toMatch(/^\w.{0,124}$/)
  expect(Object.keys(action.branding)).toEqual(['icon', 'color'])
})
