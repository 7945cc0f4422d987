import { expect } from '@jest/globals'
import { marked } from 'marked'

const tags =
  /<\/?(?:h3|p|strong|table|tr|th|ul|li|details|summary|code|a)>|<br>|<td(?: align="right"| rowspan="\d+" valign="top"| colspan="4")?>|<\/td>|<a href="https?:\/\/[^"<>\s]*">/g

/** In a job summary, GitHub gives a meaning only to our own tags. */
export function expectOnlyOwnMarkup(summary: string): void {
  const body = summary.trim()
  expect(body).toMatch(/^<h3>\P{ASCII}+ [A-Z][a-z ,:\d]+( \(.*\))?<\/h3>$/mu)

  // Rendering as Markdown changes nothing.
  expect(String(marked.parse(body, { gfm: true })).trim()).toBe(body.replaceAll('\n\n', ''))

  // Only our tags, and outside of `code` nothing that GitHub turns into mentions, references, emoji
  // or math.
  const prose = body
    .replace(/<code>[^<>]*<\/code>/g, ' ')
    .replace(tags, ' ')
    .replace(/\bmessage \d+\/\d+/g, ' ')
    .replace(/&#\d+;/g, "'")
  expect(prose).not.toMatch(/[<>@#/_*`$\\[\]|]|:[\w+-]|[\da-f]{7}|\p{Cc}(?<!\n)/u)
}
