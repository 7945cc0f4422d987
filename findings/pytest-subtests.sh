#!/usr/bin/env bash
# pytest: one test with three subtests has four different counts
#
# Guess:     the line at the end and the reports of one run agree on how many tests there were.
# Happens:   one test whose second subtest of three fails: the terminal says 2 failed and 2 subtests
#            passed, the attributes of the JUnit file say 4 tests and 2 failures, the file
#            has one <testcase> with two <failure>, pytest-json-report says 1 test, and junitparser,
#            which counts again when it merges, says 1 test with 2 failures.
# Versions:  pytest 9.2.0, pytest-json-report 1.5.0, junitparser 5.0.3, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: a comment with numbers: passed = tests - failures is below zero for the merged file.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install_python pytest==9.2.0 pytest-json-report==1.5.0 junitparser==5.0.3

cat > test_sub.py <<'PY'
def test_sub(subtests):
    for number in range(3):
        with subtests.test(number=number):
            assert number != 1
PY
python/bin/pytest -q --junitxml=junit.xml --json-report test_sub.py > out.txt || true
python/bin/junitparser merge junit.xml merged.xml
cat > finding.py <<'PY'
import json
from xml.etree import ElementTree

print('terminal:', open('out.txt').read().splitlines()[-1].split(' in ')[0])
for name in ['junit.xml', 'merged.xml']:
    suite = ElementTree.parse(name).find('testsuite')
    counts = f"tests={suite.get('tests')} failures={suite.get('failures')}"
    found = f"{len(suite.findall('testcase'))} testcase, {len(suite.findall('*/failure'))} failure"
    print(f'{name}: {counts}, with {found}')
summary = json.load(open('.report.json'))['summary']
print('json:', {name: summary[name] for name in ('total', 'failed')})
PY
play python/bin/python finding.py
described <<'END'
terminal: 2 failed, 2 subtests passed
junit.xml: tests=4 failures=2, with 1 testcase, 2 failure
merged.xml: tests=1 failures=2, with 1 testcase, 2 failure
json: {'total': 1, 'failed': 1}
END
