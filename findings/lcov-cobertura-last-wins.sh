#!/usr/bin/env bash
# lcov_cobertura: of two records for one source, the last one wins, and both count
#
# Guess:     a tracefile with the records of two test runs (cat a.info b.info) is merged by line, as
#            lcov and lcov-result-merger do it: both lines are covered.
# Happens:   the lines are those of the last record, and the total counts both records: 2 of 4 lines.
#            No warning.
# Versions:  lcov_cobertura 2.1.1, lcov-result-merger 6.0.0, Python 3.11.7, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: unit and browser tests of one source whose coverage is put together with cat.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install lcov-result-merger@6.0.0
install_python lcov_cobertura==2.1.1

printf '%s\n' TN: SF:lib/a.js DA:1,3 DA:2,0 LF:2 LH:1 end_of_record > unit.info
printf '%s\n' TN: SF:lib/a.js DA:1,0 DA:2,4 LF:2 LH:1 end_of_record > browser.info
cat unit.info browser.info > both.txt
shown() { grep -oE 'lines-(covered|valid)="[0-9]+"|hits="[0-9]+" number="[0-9]+"' "$1"; }

play python/bin/lcov_cobertura both.txt --output both.xml
play echo "$(shown both.xml)"
node_modules/.bin/lcov-result-merger '*.info' merged.txt
play python/bin/lcov_cobertura merged.txt --output merged.xml
play echo "$(shown merged.xml)"
described <<'END'
lines-covered="2"
lines-valid="4"
hits="0" number="1"
hits="4" number="2"
lines-covered="2"
lines-valid="2"
hits="3" number="1"
hits="4" number="2"
END
