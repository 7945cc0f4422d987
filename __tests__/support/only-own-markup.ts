import { expect } from '@jest/globals'
import { marked } from 'marked'

const tags =
  /<\/?(?:h3|p|strong|table|tr|th|ul|li|details|summary|code|a)>|<br>|<td(?: align="right"| rowspan="\d+" valign="top"| colspan="4")?>|<\/td>|<a href="https?:\/\/[^"<>\s]*">/g

/** Nothing in a job summary but our own tags is more than text to GitHub. */
export function expectOnlyOwnMarkup(summary: string): void {
  const body = summary.trim()
  expect(body).toMatch(/^<h3>\P{ASCII}+ [A-Z][a-z ,:\d]+( \(.*\))?<\/h3>$/mu)

  // No Markdown is read: what a renderer makes of it is the very same text.
  expect(String(marked.parse(body, { gfm: true })).trim()).toBe(body.replaceAll('\n\n', ''))

  // No tag but our own, and outside of `code` nothing in which GitHub looks for mentions,
  // references, emoji or math.
  const prose = body
    .replace(/<code>[^<>]*<\/code>/g, ' ')
    .replace(tags, ' ')
    .replace(/\bmessage \d+\/\d+/g, ' ')
    .replace(/&#\d+;/g, "'")
  expect(prose).not.toMatch(/[<>@#/_*`$\\[\]|]|:[\w+-]|[\da-f]{7}|\p{Cc}(?<!\n)/u)
}
