import { readFileSync, statSync } from 'node:fs'
import type { Problem } from './problem.ts'
import { formatSize } from './text/format.ts'
import { code, type Text, text, words } from './text/text.ts'

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads: GitHub sends no event above 25 MB. */
const maxEventBytes = 25 * 1024 * 1024

/**
 * Why the run goes on without its event, if `@actions/github` cannot read the file: it throws for one that is not JSON,
 * blocks on a pipe, and takes `null` for the event.
 */
export function unusableEvent(path: string): Problem | undefined {
  const why = whyUnusable(path)
  if (why === undefined) return undefined
  return {
    title: 'The run goes on without its event',
    text: text`The event file ${path} ${why}. The comment names no release or pull request.\nThe runner writes this file, named by ${code('GITHUB_EVENT_PATH')}: does a step change it?`,
  }
}

function whyUnusable(path: string): Text | undefined {
  try {
    const found = statSync(path)
    if (!found.isFile()) return words('is not a regular file')
    if (found.size > maxEventBytes) return words(`has ${formatSize(found.size)}, and at most 25 MB are read`)
    const event: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const isObject = typeof event === 'object' && event !== null && !Array.isArray(event)
    return isObject ? undefined : words('holds no JSON object')
  } catch (error) {
    if (error instanceof SyntaxError) return words('is not JSON')
    return text`cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : String(error)})`
  }
}
