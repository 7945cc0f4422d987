// What unit tests import from `@jest/globals`. The tests are collected, and the runner runs them.
import { expect } from 'expect'

export interface Test {
  readonly id: string
  readonly run: () => unknown
}

type Body = (...row: readonly unknown[]) => unknown

export const tests: Test[] = []
/** They run when the process ends: the tests run many times. */
export const cleanUps: (() => unknown)[] = []
let groups: readonly string[] = []

function describe(name: string, body: Body): void {
  const outer = groups
  groups = [...groups, name]
  body()
  groups = outer
}

function test(name: string, body: Body): void {
  tests.push({ id: [tests.length, ...groups, name].join(' '), run: () => body() })
}

type Declare = (name: string, body: Body) => void

const each = (declare: Declare) => (rows: readonly unknown[]) => (name: string, body: Body) => {
  // As in jest: rows are spread only if all are lists.
  const table = rows.every(Array.isArray) ? rows : rows.map((row) => [row])
  for (const row of table) declare(name, () => body(...row))
}
describe.each = each(describe)
test.each = each(test)
const skip: Declare = () => undefined
test.skip = Object.assign(skip, { each: each(skip) })

function afterAll(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp)
}

export { afterAll, describe, expect, test }
