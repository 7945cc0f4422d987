#!/usr/bin/env bash
# pytest-rerunfailures: in the JUnit file, each attempt that failed is a test that passed
#
# Guess:     a test that failed three times is one <testcase> with its failure, or three with one
#            each. One that passed at last is a passed test.
# Happens:   the attempts before the last one are <testcase> elements of the same name without a
#            failure, which means passed. The attributes count two tests, junit2html and junitparser
#            count six, five of them passed. The test that passed at last is not passed in
#            pytest-json-report: it is "rerun", and counts nowhere else.
# Versions:  pytest 9.2.0, pytest-rerunfailures 16.7, pytest-json-report 1.5.0, junitparser 5.0.3,
#            junit2html 31.1.4, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: numbers and percentages of passed tests, and searches for flaky tests.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
PIP_NO_COMPILE=1 install_python pytest==9.2.0 pytest-rerunfailures==16.7 pytest-json-report==1.5.0 \
  junitparser==5.0.3 junit2html==31.1.4

cat > test_upload.py <<'PY'
import pytest

attempts = []


@pytest.mark.flaky(reruns=2)
def test_broken():
    raise OSError('413')


@pytest.mark.flaky(reruns=2)
def test_flaky():
    attempts.append(1)
    assert len(attempts) == 3
PY
cat > finding.py <<'PY'
import json
from xml.etree import ElementTree


def show(path):
    suite = ElementTree.parse(path).find('testsuite')
    print(f'{path}: tests="{suite.get("tests")}" failures="{suite.get("failures")}"')


show('junit.xml')
for case in ElementTree.parse('junit.xml').iter('testcase'):
    print('  ', case.get('name'), [child.tag for child in case] or 'passed')
show('merged.xml')
with open('report.json') as file:
    report = json.load(file)
print('report.json:', report['summary'])
print('  ', [(test['nodeid'].split('::')[1], test['outcome']) for test in report['tests']])
PY
python/bin/python -m pytest -q -p no:cacheprovider --junitxml=junit.xml --json-report \
  --json-report-file=report.json > pytest.txt && echo 'It did not fail.' && exit 2
python/bin/junitparser merge junit.xml merged.xml
play sh -c "tail -1 pytest.txt | sed -E 's/ in [0-9.]+s//'"
play python/bin/python finding.py
play sh -c 'python/bin/junit2html junit.xml --summary-matrix | grep -E "(Failed|Passed) +:"'
described <<'END'
1 failed, 1 passed, 4 rerun
junit.xml: tests="2" failures="1"
   test_broken passed
   test_broken passed
   test_broken ['failure']
   test_flaky passed
   test_flaky passed
   test_flaky passed
merged.xml: tests="6" failures="1"
report.json: {'failed': 1, 'rerun': 1, 'total': 2, 'collected': 2}
   [('test_broken', 'failed'), ('test_flaky', 'rerun')]
  Failed       :      1
  Passed       :      5
END
