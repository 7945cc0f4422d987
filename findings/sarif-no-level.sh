#!/usr/bin/env bash
# sarif-junit, sarif-to-markdown: a SARIF result without a level is a passed test, or is not there
#
# Guess:     a result without a level has that of its rule, and if this has none, it is a warning (SARIF
#            2.1.0, section 3.27.10). Each converter shows it as a problem, and kind: pass as none.
# Happens:   sarif-junit writes a passed test for it, also if its rule is an error. The Multitool of
#            Microsoft leaves the default out when it writes a file: after it, all warnings pass.
#            sarif-to-markdown only looks at the rule: without a level there, as in each file of
#            ESLint, no result is shown, not even an error; and a pass counts as an error. sarif-tools
#            does what one guesses.
# Versions:  sarif-junit 1.1.4, @security-alert/sarif-to-markdown 1.11.1,
#            @microsoft/sarif-multitool-linux 5.7.0, sarif-tools 3.0.5, eslint 10.15.0,
#            @microsoft/eslint-formatter-sarif 3.1.0, Node 24.21.0, Python 3.11.7
# Seen:      2026-11-29
# Who meets it: jobs that turn the findings of scanners into tests, or into a comment.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install sarif-junit@1.1.4 @security-alert/sarif-to-markdown@1.11.1 @microsoft/sarif-multitool-linux@5.7.0 \
  eslint@10.15.0 @microsoft/eslint-formatter-sarif@3.1.0
install_python sarif-tools==3.0.5
export MPLCONFIGDIR=$folder # of sarif-tools
multitool=node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool
chmod +x $multitool

cat > make.mjs <<'JS'
import { writeFileSync } from 'node:fs'

const physicalLocation = { artifactLocation: { uri: 'cart.py' }, region: { startLine: 1 } }
const locations = [{ physicalLocation }]
const result = (ruleId, text, more) => ({ ruleId, message: { text }, locations, ...more })
const rules = [{ id: 'E1', defaultConfiguration: { level: 'error' } }, { id: 'W1' }]
const driver = { name: 'Scan', rules }
const results = [
  result('E1', 'error by its rule'),
  result('W1', 'warning by its level', { level: 'warning' }),
  result('E1', 'passed', { kind: 'pass', level: 'none' }),
]
writeFileSync('scan.sarif', JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver }, results }] }))
writeFileSync('cart.js', 'eval("1")\n')
writeFileSync('eslint.config.mjs', 'export default [{ rules: { "no-eval": "error" } }]\n')
JS
node make.mjs
$multitool rewrite scan.sarif --output written.sarif --log ForceOverwrite > /dev/null
node_modules/.bin/eslint -f @microsoft/sarif -o eslint.sarif cart.js || true
cat > read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { sarifToMarkdown } from '@security-alert/sarif-to-markdown'

const [name] = process.argv.slice(2)
console.log(`${name}, by sarif-junit:`)
const tests = readFileSync(`${name}.xml`, 'utf8').matchAll(/<testcase .*? name="(.*?)" .*?(\/?)>/g)
for (const [, text, end] of tests)
  console.log(`  ${text.replace(/^Ln 1 (Col 1 )?/, '')}: ${end ? 'passed' : 'failed'}`)
const make = sarifToMarkdown({ title: 'Scan', owner: 'o', repo: 'r', branch: 'main', sourceRoot: '' })
const [{ body }] = make(JSON.parse(readFileSync(`${name}.sarif`, 'utf8')))
console.log(`${name}, by sarif-to-markdown:`)
const shown = body.split('## Results')[1].split('##')[0].match(/\*\*\[.*|- https.*/g) ?? ['nothing']
console.log(shown.map((line) => `  ${line}`).join('\n'))
JS
for name in scan written eslint; do
  node_modules/.bin/sarif-junit -i $name.sarif -o $name.xml > /dev/null
  play node read.mjs $name
  play echo "$name, by sarif-tools:"
  play sh -c "python/bin/sarif summary $name.sarif | grep -E '^(error|warning|none): '"
done
described <<'END'
scan, by sarif-junit:
  error by its rule: passed
  warning by its level: failed
  passed: passed
scan, by sarif-to-markdown:
  **[ERROR]** **[E1]**  `error by its rule`
  - https://github.com/o/r/blob/main/cart.py#L1
  - https://github.com/o/r/blob/main/cart.py#L1
scan, by sarif-tools:
error: 1
warning: 1
none: 1
written, by sarif-junit:
  error by its rule: passed
  warning by its level: passed
  passed: passed
written, by sarif-to-markdown:
  **[ERROR]** **[E1]**  `error by its rule`
  - https://github.com/o/r/blob/main/cart.py#L1
  - https://github.com/o/r/blob/main/cart.py#L1
written, by sarif-tools:
error: 1
warning: 1
none: 1
eslint, by sarif-junit:
  `eval` can be harmful.: failed
eslint, by sarif-to-markdown:
  nothing
eslint, by sarif-tools:
error: 1
warning: 0
END
