#!/usr/bin/env bash
# csvkit: a column of zeros and ones becomes False and True
#
# Guess:     csvsort sorts the rows, and leaves the cells as they are.
# Happens:   csvsort, csvjoin, csvjson and in2csv guess a type for each column: 0 and 1 are False and
#            True, 4:10 is 0:04:10. csvcut, csvgrep and csvstack leave them. With one failure more (2),
#            the same column is a number. --no-inference keeps the text.
# Versions:  csvkit 2.2.0, agate 1.14.2, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: reports that count failures, in most runs 0 or 1.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install_python csvkit==2.2.0 agate==1.14.2

printf '%s\n' suite,failures,time ui,1,0:35 api,0,4:10 > report.csv
sed 's/,1,/,2,/' report.csv > more.csv
play python/bin/csvsort -c suite report.csv
play python/bin/csvsort -c suite more.csv
play python/bin/csvsort -c suite --no-inference report.csv
play python/bin/csvcut -c suite,failures,time report.csv
described <<'END'
suite,failures,time
api,False,0:04:10
ui,True,0:00:35
suite,failures,time
api,0,0:04:10
ui,2,0:00:35
suite,failures,time
api,0,4:10
ui,1,0:35
suite,failures,time
ui,1,0:35
api,0,4:10
END
