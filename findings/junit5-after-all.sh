#!/usr/bin/env bash
# JUnit: if only the clean-up of a class fails, each test that passed is an error in the report
#
# Guess:     an @AfterAll that throws is one failure more: the tests of the class stay passed.
# Happens:   in the XML file of JUnit's ConsoleLauncher, all of them are errors, with the message of
#            the clean-up; a test that failed has <failure> and <error>, and failures="0". The
#            terminal says 1 passed, 1 failed. The launcher of Ant leaves them, and adds a test with
#            the name of the class, which tests="2" does not count. After an @BeforeAll that throws,
#            it writes tests="0" failures="1", and the terminal says 0 passed, 0 failed. Of a disabled
#            class with two tests, Ant has skipped="1", and no test.
# Versions:  junit-platform-console-standalone 1.13.4, ant-junitlauncher 1.10.15, Java 17.0.15
# Seen:      2026-11-29
# Who meets it: messages with the numbers of a run: passed = tests - failures is too many, or -1.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install_java org.junit.platform:junit-platform-console-standalone:1.13.4 \
  org.apache.ant:ant-junitlauncher:1.10.15

mkdir classes
cat > Tests.java <<'JAVA'
import org.junit.jupiter.api.*;

class AfterTest {
  @Test void passes() {}
  @Test void fails() { Assertions.fail("no"); }
  @AfterAll static void close() { throw new IllegalStateException("cannot close"); }
}

class BeforeTest {
  @BeforeAll static void open() { throw new IllegalStateException("no database"); }
  @Test void one() {}
  @Test void two() {}
}

@Disabled class DisabledTest {
  @Test void one() {}
  @Test void two() {}
}
JAVA
cat > build.xml <<'XML'
<project>
  <junitlauncher>
    <classpath><pathelement location="classes"/></classpath>
    <testclasses outputdir=".">
      <fileset dir="classes"/>
      <listener type="legacy-xml"/>
    </testclasses>
  </junitlauncher>
</project>
XML
cat > read.py <<'PY'
import sys
from xml.etree import ElementTree

suite = ElementTree.parse(sys.argv[1]).getroot()
names = ['tests', 'failures', 'errors', 'skipped']
print(' ', *[f'{name}={suite.get(name)}' for name in names if suite.get(name)])
for case in sorted(suite.iter('testcase'), key=lambda case: case.get('name')):
    print('   ', case.get('name'), *[part.tag for part in case if part.tag != 'system-out'])
PY
javac -cp "$classpath" -d classes Tests.java
java -cp "$classpath" org.apache.tools.ant.Main -quiet > ant.txt 2>&1
for class in AfterTest BeforeTest DisabledTest; do
  java -cp "$classpath" org.junit.platform.console.ConsoleLauncher execute --class-path classes \
    --select-class $class --reports-dir $class --details none > console.txt 2>&1 || true
  play echo "$class, by the ConsoleLauncher"
  play grep -oE '[0-9]+ tests (successful|failed|skipped)' console.txt
  play python3 read.py $class/TEST-junit-jupiter.xml
  play echo "$class, by Ant"
  play python3 read.py TEST-$class.xml
done
described <<'END'
AfterTest, by the ConsoleLauncher
0 tests skipped
1 tests successful
1 tests failed
  tests=2 failures=0 errors=2 skipped=0
    fails() failure error
    passes() error
AfterTest, by Ant
  tests=2 failures=2 skipped=0
    AfterTest failure
    fails() failure
    passes()
BeforeTest, by the ConsoleLauncher
0 tests skipped
0 tests successful
0 tests failed
  tests=2 failures=0 errors=2 skipped=0
    one() error
    two() error
BeforeTest, by Ant
  tests=0 failures=1 skipped=0
    BeforeTest failure
DisabledTest, by the ConsoleLauncher
  tests=2 failures=0 errors=0 skipped=2
    one() skipped
    two() skipped
DisabledTest, by Ant
  tests=0 failures=0 skipped=1
END
