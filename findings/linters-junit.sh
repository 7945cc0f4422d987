#!/usr/bin/env bash
# ruff, mypy: no mistake is one passed test in the JUnit file
#
# Guess:     without a mistake, the file has no test, or one for each file that was looked at.
# Happens:   ruff: without a mistake, one passed test, "No errors found"; with two mistakes, two failed
#            tests, and none for the other files. mypy: one test by default, whose failure has all
#            messages.
# Versions:  ruff 0.17.6, mypy 2.4.1, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: dashboards of passed and failed tests: the number of tests is that of the mistakes,
#            but 0 of them are 1.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install_python ruff==0.17.6 mypy==2.4.1

mkdir good
printf 'a: int = 1\n' | tee good/a.py > good/b.py
cp -r good bad
printf 'import os\nimport re\nc: int = ""\nd: int = ""\n' > bad/c.py
for folder in good bad; do
  python/bin/ruff check --isolated --no-cache --select F401 --output-format junit --output-file ruff-$folder.xml $folder || true
  python/bin/mypy --cache-dir mypy-$folder --junit-xml mypy-$folder.xml $folder > /dev/null || true
done
totals() { # FILE
  echo "$1: $(grep -oE ' (tests|failures)="[0-9]+"' "$1" | head -2 | sort -r | tr -d '\n')"
}
for file in ruff-good ruff-bad mypy-good mypy-bad; do play echo "$(totals $file.xml)"; done
play grep -o 'name="[^"]*" classname="ruff"' ruff-good.xml
described <<'END'
ruff-good.xml:  tests="1" failures="0"
ruff-bad.xml:  tests="2" failures="2"
mypy-good.xml:  tests="1" failures="0"
mypy-bad.xml:  tests="1" failures="1"
name="No errors found" classname="ruff"
END
