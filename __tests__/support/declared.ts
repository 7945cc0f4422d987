// What action.yml declares. Tests take the names from here, so that a new input or output changes no list.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

const action: Readonly<Record<'inputs' | 'outputs', object>> = parse(
  readFileSync(new URL('../../action.yml', import.meta.url), 'utf8'),
)
export const inputNames: readonly string[] = Object.keys(action.inputs)
export const outputNames: readonly string[] = Object.keys(action.outputs)
