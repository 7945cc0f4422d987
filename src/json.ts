/** An untrusted JSON object. */
export type Json = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function parseObject(json: string): Json | undefined {
  const value = parseJson(json)
  return isObject(value) ? value : undefined
}

/**
 * `undefined` if the text is not a JSON string. A quoted path of Windows, `"C:\new\report.csv"`,
 * only looks like one.
 */
export function parseString(json: string): string | undefined {
  const value = json.startsWith('"') ? parseJson(json) : undefined
  return typeof value === 'string' && !/^[a-z]:|[^\P{Cc}\r\n]/iu.test(value) ? value : undefined
}

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

/** `undefined` if the member is empty or not a string. */
export function textIn(json: Json | undefined, name: string): string | undefined {
  const value = json?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberIn(json: Json | undefined, name: string): number | undefined {
  const value = json?.[name]
  return typeof value === 'number' ? value : undefined
}

export function listIn(json: Json | undefined, name: string): readonly unknown[] {
  const value = json?.[name]
  return Array.isArray(value) ? value : []
}
