#!/usr/bin/env bash
# go-junit-report: what a test prints can be a test that failed, also with go test -json
#
# Guess:     with -json, each line of output says which test it belongs to, and the results are events of
#            their own: what a test prints is its output.
# Happens:   go-junit-report puts the output together again, and looks for results in it. A test that
#            passes, and prints the log of another run ("--- FAIL: TestCart (0.00s)"), becomes two
#            tests, one of which failed, and -set-exit-code makes the green run red.
# Versions:  github.com/jstemmer/go-junit-report/v2 v2.1.0, Go 1.26.8
# Seen:      2026-11-29
# Who meets it: tests of whatever runs tests or shows their logs: a tool, an action, a plugin of a build.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"

printf 'package main\n\nfunc main() {}\n' > main.go
cat > main_test.go <<'GO'
package main

import (
	"fmt"
	"testing"
)

func TestLog(t *testing.T) {
	fmt.Println("--- FAIL: TestCart (0.00s)")
}
GO
build_go github.com/jstemmer/go-junit-report/v2@v2.1.0
go build -o report github.com/jstemmer/go-junit-report/v2
play sh -c 'go test -json . > events.txt; echo "go test ends with $?"'
play sh -c 'grep -oE "\"Action\":\"(pass|fail|skip)\".*\"Test\":\"[^\"]*\"" events.txt | sed "s/,.*,/, /"'
play sh -c './report -parser gojson -set-exit-code < events.txt > report.xml; echo "go-junit-report ends with $?"'
play grep -oE '<(testcase|failure)|name="Test[^"]*"' report.xml
described <<'END'
go test ends with 0
"Action":"pass", "Test":"TestLog"
go-junit-report ends with 1
<testcase
name="TestLog"
<testcase
name="TestCart"
<failure
END
