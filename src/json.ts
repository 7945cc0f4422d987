/** A JSON object from outside: nothing about its members is certain. */
export type Json = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text as a JSON object; `undefined` if it is anything else. */
export function parseObject(json: string): Json | undefined {
  const value = parseJson(json)
  return isObject(value) ? value : undefined
}

/** The text as a JSON list; `undefined` if it is anything else. */
export function parseList(json: string): readonly unknown[] | undefined {
  const value = parseJson(json)
  return Array.isArray(value) ? value : undefined
}

/**
 * The text of a JSON string, such as the result of a script; `undefined` if it is anything else. A
 * quoted path of Windows, `"C:\new\report.csv"`, only looks like one.
 */
export function parseText(json: string): string | undefined {
  const value = json.startsWith('"') ? parseJson(json) : undefined
  return typeof value === 'string' && !/^[a-z]:|[^\P{Cc}\r\n]/iu.test(value) ? value : undefined
}

/** The value of the text; `undefined` if it is no JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

export function objectIn(json: Json | undefined, name: string): Json | undefined {
  const value = json?.[name]
  return isObject(value) ? value : undefined
}

/** The member `name`, if it is a string that is not empty. */
export function textIn(json: Json | undefined, name: string): string | undefined {
  const value = json?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberIn(json: Json | undefined, name: string): number | undefined {
  const value = json?.[name]
  return typeof value === 'number' ? value : undefined
}

/** The member `name`, if it is a list; otherwise an empty one. */
export function listIn(json: Json | undefined, name: string): readonly unknown[] {
  const value = json?.[name]
  return Array.isArray(value) ? value : []
}
