#!/usr/bin/env bash
# @actions/core: Markdown behind a heading or a list of the job summary is shown as it was typed
#
# Guess:     what addRaw() adds is Markdown, wherever it stands, since the summary is a Markdown file.
# Happens:   addHeading(), addList(), addQuote() and addTable() write HTML, with one line break behind
#            it. To CommonMark (section 4.6), that block of HTML goes on until an empty line: **3 failed**
#            keeps its asterisks, a table its pipes. addEOL() once more ends the block. Nor do cells and
#            items know Markdown, or are they escaped: of Map<String>, a browser shows Map.
# Versions:  @actions/core 3.0.1, commonmark 0.31.2, markdown-it 15.0.3, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: actions that begin their summary with a heading, and add a text in Markdown.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install @actions/core@3.0.1 commonmark@0.31.2 markdown-it@15.0.3

cat > finding.mjs <<'JS'
import { summary } from '@actions/core'
import { HtmlRenderer, Parser } from 'commonmark'
import MarkdownIt from 'markdown-it'

const markdownIt = new MarkdownIt({ html: true })
const renderers = {
  commonmark: (text) => new HtmlRenderer().render(new Parser().parse(text)),
  'markdown-it': (text) => markdownIt.render(text),
}
const summaries = {
  'addRaw()': () => summary.addRaw('**3 failed**'),
  'addHeading(), addRaw()': () => summary.addHeading('Tests').addRaw('**3 failed**'),
  'addList(), addRaw()': () => summary.addList(['Unit']).addRaw('**3 failed**'),
  'addQuote(), addRaw()': () => summary.addQuote('Unit').addRaw('- **3 failed**'),
  'addHeading(), addEOL(), addRaw()': () => summary.addHeading('Tests').addEOL().addRaw('**3 failed**'),
  'addList() of Markdown': () => summary.addList(['**3 failed**']),
  'addCodeBlock()': () => summary.addCodeBlock('Map<String>'),
}
for (const [name, make] of Object.entries(summaries)) {
  const text = make().stringify()
  summary.emptyBuffer()
  const seen = Object.entries(renderers).map(([who, render]) => [who, render(text).trim()])
  for (const [who, html] of seen) console.log(`${name}, ${who}: ${JSON.stringify(html)}`)
}
JS
play node finding.mjs
described <<'END'
addRaw(), commonmark: "<p><strong>3 failed</strong></p>"
addRaw(), markdown-it: "<p><strong>3 failed</strong></p>"
addHeading(), addRaw(), commonmark: "<h1>Tests</h1>\n**3 failed**"
addHeading(), addRaw(), markdown-it: "<h1>Tests</h1>\n**3 failed**"
addList(), addRaw(), commonmark: "<ul><li>Unit</li></ul>\n**3 failed**"
addList(), addRaw(), markdown-it: "<ul><li>Unit</li></ul>\n**3 failed**"
addQuote(), addRaw(), commonmark: "<blockquote>Unit</blockquote>\n- **3 failed**"
addQuote(), addRaw(), markdown-it: "<blockquote>Unit</blockquote>\n- **3 failed**"
addHeading(), addEOL(), addRaw(), commonmark: "<h1>Tests</h1>\n<p><strong>3 failed</strong></p>"
addHeading(), addEOL(), addRaw(), markdown-it: "<h1>Tests</h1>\n<p><strong>3 failed</strong></p>"
addList() of Markdown, commonmark: "<ul><li>**3 failed**</li></ul>"
addList() of Markdown, markdown-it: "<ul><li>**3 failed**</li></ul>"
addCodeBlock(), commonmark: "<pre><code>Map<String></code></pre>"
addCodeBlock(), markdown-it: "<pre><code>Map<String></code></pre>"
END
