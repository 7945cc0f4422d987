// A job summary nearly as GitHub shows it.
import { readFileSync } from 'node:fs'
import { marked } from 'marked'

/** Not every machine has a font with emoji. */
const emoji: Readonly<Record<string, string>> = {
  '✅': '<rect x="1" y="1" width="14" height="14" rx="3" fill="#2da44e"/><path d="m4 8 3 3 5-6" stroke="#fff"/>',
  '❌': '<path d="m3 3 10 10M13 3 3 13" stroke="#cf222e"/>',
  '⚠️': '<path d="M8 2 15 14H1z" fill="#d4a72c"/><path d="M8 6.5v3m0 2v.1" stroke="#24292f"/>',
}

/** The content security policy replaces GitHub's sanitizer. Nothing runs, nothing is loaded. */
export async function renderPage(markdown: string): Promise<string> {
  const css = readFileSync(new URL(import.meta.resolve('github-markdown-css')), 'utf8')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>Job summary</title>
<style>${css} body { margin: 0 } .markdown-body { box-sizing: border-box; max-width: 980px; padding: 24px }</style>
<article class="markdown-body">
${withEmoji(await marked.parse(markdown, { gfm: true }))}
</article>
</html>
`
}

function withEmoji(html: string): string {
  const drawn = (shape: string) =>
    `<svg width="1em" height="1em" viewBox="0 0 16 16" fill="none" stroke-width="2.2" stroke-linecap="round">${shape}</svg>`
  return Object.entries(emoji).reduce(
    (rest, [character, shape]) => rest.replaceAll(character, drawn(shape)),
    html,
  )
}
