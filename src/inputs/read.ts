import * as core from '@actions/core'
import { code, list, type Text, text } from '../text/text.ts'

/** The value of an input is refused. The text says what the value is, what is wrong, and what to write instead. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError'
  readonly text: Text

  constructor(why: Text) {
    super()
    this.text = why
  }
}

/** The input, trimmed; empty if it is not set. */
export function readText(name: string): string {
  return core.getInput(name)
}

/** @throws InvalidInputError */
export function readChoice<T extends string>(name: string, allowed: readonly [T, ...T[]]): T {
  const value = readText(name) || allowed[0]
  const choice = allowed.find((one) => one === value)
  if (choice !== undefined) return choice
  throw new InvalidInputError(text`${code(name)} is ${showValue(value)}. Write one of ${list(allowed.map(code))}.`)
}

/**
 * Booleans as YAML 1.2 writes them.
 *
 * @throws InvalidInputError
 */
export function readFlag(name: string): boolean {
  const value = readText(name) || 'false'
  if (/^(true|True|TRUE)$/.test(value)) return true
  if (/^(false|False|FALSE)$/.test(value)) return false
  throw new InvalidInputError(text`${code(name)} is ${showValue(value)}. Write ${code('true')} or ${code('false')}.`)
}

/** @throws InvalidInputError */
export function readNumber(name: string, defaultValue: string, shape: RegExp, allowed: Text): number {
  const value = readText(name) || defaultValue
  if (shape.test(value)) return Number(value)
  throw new InvalidInputError(text`${code(name)} is ${showValue(value)}. Write ${allowed}.`)
}

/** A value in an error: short, and never a secret that was written into the wrong input. */
export function showValue(value: string): Text {
  if (/xox[a-z][.-]|xapp-|hooks\.slack\.com/i.test(value)) return text`a secret (not shown)`
  const line = value.replace(/\s+/g, ' ')
  return text`${line.length > 100 ? `${line.slice(0, 99)}…` : line}`
}
