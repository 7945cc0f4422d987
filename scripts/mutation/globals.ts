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
let current = ''
/** Of each test in the first run, which is without a mutant. */
const snapshots = new Map<string, unknown>()

function describe(name: string, body: Body): void {
  const outer = groups
  groups = [...groups, name]
  body()
  groups = outer
}

function test(name: string, body: Body): void {
  const id = [tests.length, ...groups, name].join(' ')
  const run = () => {
    current = id
    return body()
  }
  tests.push({ id, run })
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

/** Jest writes a text of several lines between line breaks, in quotation marks. */
expect.extend({
  toMatchSnapshot(received: unknown) {
    const before = snapshots.get(current) ?? received
    snapshots.set(current, before)
    return { pass: this.equals(received, before), message: () => 'not as without the mutant' }
  },
  toMatchInlineSnapshot(received: unknown, snapshot: string) {
    const shown = typeof received === 'string' ? `"${received}"` : JSON.stringify(received)
    return { pass: snapshot.trim() === shown.trim(), message: () => `not as in the snapshot:\n${shown}` }
  },
})

/** A module is loaded once for all tests. */
const jest = { resetModules: () => undefined, setTimeout: () => undefined }

export { afterAll, describe, expect, jest, test }
