#!/usr/bin/env bash
# Readers of Slack's text: 12:30:45 loses its minutes, a file name its underscores, and code is changed
#
# Guess:     what Slack shows as plain text stays plain: a style needs a blank or a punctuation mark
#            around its marks, code has no styles, and &lt; is <.
# Happens:   slackdown finds italics in unit_test_report.csv, and bold in code; it and slack-markdown
#            read 5*3 or 7*2 as bold, slack-hawk-down does so with *.csv, *.xml. For
#            slack-message-parser and slack-hawk-down, 12:30:45 has the emoji 30, and the latter
#            leaves it out: 123045. Behind any > of a line, it begins a quote. slack-markdown escapes
#            once more, as it comes: people see &lt;, and links have &amp;amp;. No error.
# Versions:  slack-markdown 0.3.0, @bpinternal/slackdown 0.1.0, slack-hawk-down 0.3.5,
#            slack-message-parser 3.0.2, Node 24.21.0
# Seen:      2026-11-29
# Who meets it: bridges, archives and dashboards that show the messages of a job elsewhere.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install slack-markdown@0.3.0 @bpinternal/slackdown@0.1.0 slack-hawk-down@0.3.5 slack-message-parser@3.0.2

cat > finding.mjs <<'JS'
import { slackToMarkdown } from '@bpinternal/slackdown'
import hawkDown from 'slack-hawk-down'
import markdown from 'slack-markdown'
import { NodeType, parse } from 'slack-message-parser'

const write = ({ children, name, text, type, url }) =>
  type === NodeType.Emoji ? `{emoji ${name}}` : (children?.map(write).join('') ?? text ?? `{${url}}`)
const readers = {
  'slack-markdown': (text) => markdown.toHTML(text),
  slackdown: (text) => slackToMarkdown(text),
  'slack-hawk-down': (text) => hawkDown.escapeForSlackWithMarkdown(text),
  'slack-message-parser': (text) => write(parse(text)),
}
for (const text of [
  'unit_test_report.csv',
  '5*3 or 7*2',
  '*.csv, *.xml',
  '`a*b*c`',
  'a &lt; b &amp;&amp; b &gt; c',
  '<https://ci.example/?run=1&amp;try=2|the run>',
  'done at 12:30:45',
]) {
  console.log(text)
  for (const [name, read] of Object.entries(readers))
    console.log(`  ${name}: ${read(text).replaceAll(/ (target|rel)="[^"]*"/g, '')}`)
}
JS
play node finding.mjs
described <<'END'
unit_test_report.csv
  slack-markdown: unit_test_report.csv
  slackdown: unit*test*report.csv
  slack-hawk-down: unit_test_report.csv
  slack-message-parser: unit_test_report.csv
5*3 or 7*2
  slack-markdown: 5<strong>3 or 7</strong>2
  slackdown: 5**3 or 7**2
  slack-hawk-down: 5<span class="slack_bold">3 or 7</span>2
  slack-message-parser: 5*3 or 7*2
*.csv, *.xml
  slack-markdown: *.csv, *.xml
  slackdown: *.csv, *.xml
  slack-hawk-down: <span class="slack_bold">.csv, </span>.xml
  slack-message-parser: *.csv, *.xml
`a*b*c`
  slack-markdown: <code>a*b*c</code>
  slackdown: `a**b**c`
  slack-hawk-down: <span class="slack_code">a*b*c</span>
  slack-message-parser: a*b*c
a &lt; b &amp;&amp; b &gt; c
  slack-markdown: a &amp;lt; b &amp;amp;&amp;amp; b &amp;gt; c
  slackdown: a &lt; b &amp;&amp; b &gt; c
  slack-hawk-down: a &lt; b &amp;&amp; b <span class="slack_block"> c</span>
  slack-message-parser: a &lt; b &amp;&amp; b &gt; c
<https://ci.example/?run=1&amp;try=2|the run>
  slack-markdown: <a href="https://ci.example/?run=1&amp;amp;try=2">the run</a>
  slackdown: [the run](https://ci.example/?run=1&amp;try=2)
  slack-hawk-down: <a href="https://ci.example/?run=1&amp;try=2">the run</a>
  slack-message-parser: {https://ci.example/?run=1&amp;try=2}
done at 12:30:45
  slack-markdown: done at 12:30:45
  slackdown: done at 12:30:45
  slack-hawk-down: done at 123045
  slack-message-parser: done at 12{emoji 30}45
END
