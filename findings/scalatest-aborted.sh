#!/usr/bin/env bash
# ScalaTest with junit-to-ctrf or junitparser: a run whose set-up and clean-up failed has one passed test
#
# Guess:     a suite whose beforeAll() or afterAll() throws is a failure in whatever reads the JUnit
#            files, since the runner itself ends with 1.
# Happens:   ScalaTest writes it as errors="1", without a <testcase> for it; the tests that did not run
#            are not there. junit-to-ctrf counts test cases alone: all passed. So does the verify of
#            junitparser: it ends with 0. test-results-parser says FAIL, with one test in all, none
#            of them failed, and -1 passed.
# Versions:  scala-compiler 2.13.16, scalatest 3.2.19, junit-to-ctrf 0.0.14, test-results-parser 0.4.6,
#            junitparser 5.0.3, Java 17.0.15, Node 24.21.0, Python 3.11.7
# Seen:      2026-11-29
# Who meets it: messages with the numbers of a run, and jobs that decide by them: the database did not
#            start, and all is green.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install_java org.scala-lang:scala-compiler:2.13.16 org.scalatest:scalatest_2.13:3.2.19
install junit-to-ctrf@0.0.14 test-results-parser@0.4.6
install_python junitparser==5.0.3

cat > tests.scala <<'SCALA'
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

class BeforeTest extends AnyFunSuite with BeforeAndAfterAll {
  override def beforeAll(): Unit = sys.error("no database")
  test("one") {}
  test("two") {}
}

class AfterTest extends AnyFunSuite with BeforeAndAfterAll {
  override def afterAll(): Unit = sys.error("cannot close")
  test("one") {}
}
SCALA
java -cp "$classpath" scala.tools.nsc.Main -usejavacp tests.scala
cat > read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import parser from 'test-results-parser'

const files = ['out/TEST-AfterTest.xml', 'out/TEST-BeforeTest.xml']
const { status, total, passed, failed, errors } = parser.parse({ type: 'junit', files })
const { summary } = JSON.parse(readFileSync('ctrf.json')).results
console.log(`junit-to-ctrf: tests ${summary.tests}, passed ${summary.passed}, failed ${summary.failed}`)
const counts = `total ${total}, passed ${passed}, failed ${failed}, errors ${errors}`
console.log(`test-results-parser: ${status}, ${counts}`)
JS
export CLASSPATH=$classpath
play sh -c 'java org.scalatest.tools.Runner -R . -s AfterTest -s BeforeTest -u out -oW > log.txt
  echo "ScalaTest ends with $?"'
play grep -E '^Total number|^Suites|^Tests' log.txt
for suite in AfterTest BeforeTest; do
  play sh -c "grep -oE '\\b(errors|failures|tests)=\"[0-9]+\"|<testcase' out/TEST-$suite.xml | paste -sd ' '"
done
node_modules/.bin/junit-to-ctrf 'out/*.xml' -o ctrf.json > /dev/null
play node read.mjs
play sh -c 'python/bin/junitparser verify out/*.xml; echo "junitparser verify ends with $?"'
described <<'END'
ScalaTest ends with 1
Total number of tests run: 1
Suites: completed 0, aborted 2
Tests: succeeded 1, failed 0, canceled 0, ignored 0, pending 0
errors="1" failures="0" tests="1" <testcase
errors="1" failures="0" tests="0"
junit-to-ctrf: tests 1, passed 1, failed 0
test-results-parser: FAIL, total 1, passed -1, failed 0, errors 2
junitparser verify ends with 0
END
