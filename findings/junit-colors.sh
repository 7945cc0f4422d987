#!/usr/bin/env bash
# node --test, behave: a color in a failure makes the JUnit file no XML
#
# Guess:     a JUnit reporter escapes what XML can't hold, as it does with < and &.
# Happens:   XML 1.0 has no form for the escape character of a color. node writes it as it is, and
#            behave does so in the attribute, but not in the text below it: no parser reads the
#            file. pytest writes #x1B, mocha-junit-reporter removes it.
# Versions:  Node 24.21.0, behave 1.3.3, pytest 9.2.0, mocha 11.8.0, mocha-junit-reporter 2.2.1,
#            Python 3.11.7
# Seen:      2026-11-28
# Who meets it: tests that compare the output of programs in color: the report of a failed run is
#            the one that nobody can read.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install mocha@11.8.0 mocha-junit-reporter@2.2.1
install_python behave==1.3.3 pytest==9.2.0

mkdir -p features/steps
echo "import('node:test').then(({ test }) => test('color', () => { throw new Error('\x1b[31mred') }))" > node.test.js
echo "it('color', () => { throw new Error('\x1b[31mred') })" > mocha.js
echo "def test_color(): assert False, '\x1b[31mred'" > test_color.py
printf 'Feature: color\n  Scenario: color\n    Given red\n' > features/color.feature
cat > features/steps/steps.py <<'PY'
from behave import given

@given('red')
def red(context):
    assert False, '\x1b[31mred'
PY
for run in \
  'node --test --test-reporter=junit --test-reporter-destination=node.xml node.test.js' \
  'python/bin/behave --junit' \
  'python/bin/pytest -q --junitxml=pytest.xml test_color.py' \
  'node_modules/.bin/mocha --reporter mocha-junit-reporter --reporter-options mochaFile=mocha.xml mocha.js'; do
  $run > /dev/null 2>&1 && echo 'It did not fail.' && exit 2
done
cat > finding.py <<'PY'
from xml.etree import ElementTree

for name in ['node.xml', 'reports/TESTS-color.xml', 'pytest.xml', 'mocha.xml']:
    try:
        failure = ElementTree.parse(name).find('.//failure').get('message')
        print(f'{name}: {failure.splitlines()[0]}')
    except ElementTree.ParseError as error:
        print(f'{name}: {str(error).split(":")[0]}')
PY
play python/bin/python finding.py
described <<'END'
node.xml: not well-formed (invalid token)
reports/TESTS-color.xml: not well-formed (invalid token)
pytest.xml: AssertionError: #x1B[31mred
mocha.xml: [31mred
END
