#!/usr/bin/env bash
# Converters of Markdown for Slack: ticks, links and asterisks of release notes are lost
#
# Guess:     what GitHub shows in release notes stays readable: at worst, a mark stays as it was.
# Happens:   slackify-markdown and @tryfabric/mack lose the boxes of a task list: done and open are
#            the same. The former adds the text <!----> between two lists. md-to-slack leaves bold
#            and links in a list as they were, writes & as &amp;amp; in a URL and leaves out a
#            picture. markdown_to_mrkdwn turns 2 * 3 * 4 into 2 _ 3 _ 4. No warning.
# Versions:  slackify-markdown 4.5.0, md-to-slack 1.0.0, @tryfabric/mack 1.2.1,
#            markdown_to_mrkdwn 0.3.3, Node 24.21.0, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: jobs that post the notes of a release.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install slackify-markdown@4.5.0 md-to-slack@1.0.0 @tryfabric/mack@1.2.1
install_python markdown_to_mrkdwn==0.3.3

cat > notes.md <<'MD'
* **Large** files, see [guide](https://example.com/?a=1&b=2)

- [x] Documented
- [ ] Translated

At most 2 * 3 * 4 files

![Chart](https://example.com/chart.png)
MD
cat > finding.py <<'PY'
from markdown_to_mrkdwn import SlackMarkdownConverter

with open('notes.md') as file:
    print(SlackMarkdownConverter().convert(file.read()))
PY
cat > finding.mjs <<'JS'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { markdownToBlocks } from '@tryfabric/mack'
import { markdownToSlack } from 'md-to-slack'
import slackify from 'slackify-markdown'

const notes = readFileSync('notes.md', 'utf8')
const shown = ({ text, image_url: image }) => text?.text ?? image
const convert = {
  'slackify-markdown': () => slackify(notes),
  'md-to-slack': () => markdownToSlack(notes),
  mack: async () => (await markdownToBlocks(notes)).map(shown).join('\n'),
  markdown_to_mrkdwn: () => execFileSync('python/bin/python', ['finding.py'], { encoding: 'utf8' }),
}
for (const [name, text] of Object.entries(convert)) {
  const lines = (await text()).replaceAll('\u200b', '').split('\n')
  console.log([name, ...lines.map((line) => line.trim()).filter(Boolean)].join('\n  '))
}
JS
play node finding.mjs
described <<'END'
slackify-markdown
  •   *Large* files, see <https://example.com/?a=1&b=2|guide>
  <!---->
  •   Documented
  •   Translated
  At most 2 * 3 * 4 files
  <https://example.com/chart.png|Chart>
md-to-slack
  - **Large** files, see [guide](https://example.com/?a=1&amp;amp;b=2)
  ☒ Documented
  ☐ Translated
  At most 2 * 3 * 4 files
mack
  • *Large* files, see <https://example.com/?a=1&b=2|guide>
  • Documented
  • Translated
  At most 2 * 3 * 4 files
  https://example.com/chart.png
markdown_to_mrkdwn
  • *Large* files, see <https://example.com/?a=1&b=2|guide>
  • ☑ Documented
  • ☐ Translated
  At most 2 _ 3 _ 4 files
  <https://example.com/chart.png>
END
