#!/usr/bin/env bash
# cucumber-junit-convert, cucumber-junit: an undefined step has passed, and a failed hook is skipped
#
# Guess:     cucumber-js ends with 1 for an undefined step and for a hook that throws, and what makes a
#            JUnit file of its JSON has a failure for each.
# Happens:   cucumber-junit-convert writes a passed test for a scenario whose step is undefined.
#            cucumber-junit leaves out hooks: with a Before that threw, all steps are skipped, and with
#            an After that threw, they have passed; no failure, also with --strict, and the exit code
#            is 0. The formatter of cucumber-js itself has three failures.
# Versions:  @cucumber/cucumber 13.3.0, cucumber-junit 1.7.1, cucumber-junit-convert 2.1.1, Node 24.21.0
# Seen:      2026-11-29
# Who meets it: pipelines that keep the JSON of Cucumber, and show the JUnit file of it.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install @cucumber/cucumber@13.3.0 cucumber-junit@1.7.1 cucumber-junit-convert@2.1.1

mkdir features
cat > features/shop.feature <<'FEATURE'
Feature: Shop
  Scenario: undefined step
    Given nobody wrote it

  @before
  Scenario: hook before
    Given it passes

  @after
  Scenario: hook after
    Given it passes
FEATURE
cat > features/steps.mjs <<'JS'
import { After, Before, Given } from '@cucumber/cucumber'

Given('it passes', () => {})
const fail = () => {
  throw new Error('no database')
}
Before({ tags: '@before' }, fail)
After({ tags: '@after' }, fail)
JS
play sh -c 'node_modules/.bin/cucumber-js --import features/steps.mjs --format json:shop.json \
  --format junit:cucumber-js.xml > log.txt; echo "cucumber-js ends with $?"'
play sh -c 'node_modules/.bin/cucumber-junit --strict < shop.json > cucumber-junit.xml
  echo "cucumber-junit ends with $?"'
node -e '
  const options = { inputJsonFile: "shop.json", outputXmlFile: "cucumber-junit-convert.xml" }
  require("cucumber-junit-convert").convert(options)
'
cat > read.py <<'PY'
from xml.etree import ElementTree

for name in ['cucumber-js', 'cucumber-junit', 'cucumber-junit-convert']:
    print(name)
    for case in ElementTree.parse(f'{name}.xml').iter('testcase'):
        marks = [part.tag for part in case if part.tag in ('failure', 'error', 'skipped')]
        print(f"  {case.get('classname')}, {case.get('name')}:", *marks or ['passed'])
PY
play python3 read.py
described <<'END'
cucumber-js ends with 1
cucumber-junit ends with 0
cucumber-js
  Shop, undefined step: failure
  Shop, hook before: failure
  Shop, hook after: failure
cucumber-junit
  shop;undefined-step, Given nobody wrote it: failure
  shop;hook-before, Given it passes: skipped
  shop;hook-after, Given it passes: passed
cucumber-junit-convert
  shop;undefined-step, undefined step: passed
  shop;hook-before, hook before: failure
  shop;hook-after, hook after: failure
END
