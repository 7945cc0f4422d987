// Names from action.yml, so that a new input or output changes no list.
import { parse } from 'yaml'
import { read } from './repository.ts'

const action: Readonly<Record<'inputs' | 'outputs', object>> = parse(read('action.yml'))
export const inputNames: readonly string[] = Object.keys(action.inputs)
export const outputNames: readonly string[] = Object.keys(action.outputs)
