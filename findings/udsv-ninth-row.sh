#!/usr/bin/env bash
# uDSV: the value in the ninth row decides what its whole column is
#
# Guess:     the type of a column is one that the first values have in common: short commits, most
#            of which have a letter, are texts, and what does not fit is left as it is.
# Happens:   inferSchema() takes the last value of the first nine rows that is not empty. If that
#            commit happens to have digits only, the column is one of numbers, and all other commits
#            are NaN, which JSON writes as null. The same rows in another order keep them. "yes" in
#            a column that has "false" there is false, and so is "no". No error.
# Versions:  udsv 0.7.3, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: about one of 27 short commits (seven places) has no letter: a report that was read
#            well for months loses a column.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install udsv@0.7.3

cat > finding.mjs <<'JS'
import { inferSchema, initParser } from 'udsv'

function read(title, values) {
  const text = ['value,test', ...values.map((value) => `${value},a`)].join('\n')
  const rows = initParser(inferSchema(text)).typedObjs(text)
  console.log(`${title}: ${JSON.stringify(rows.map(({ value }) => value))}`)
}

const commits = 'a81f3c2 77be041 0d91e6a c40b7f9 9e2d015 3fa6c88 b12e7d4 e05c9a3'.split(' ')
read('digits in the ninth row', [...commits, '5521907', 'f00dbee'])
read('digits in the tenth row', [...commits, 'f00dbee', '5521907'])
read('exponent in the last row', ['a81f3c2', '12e4567'])
read('times', ['0:35', '1:10', '2.5'])
read('answers', ['yes', 'no', 'false'])
read('outcomes', ['passed', 'failed', 'f'])
JS
play node finding.mjs
described <<'END'
digits in the ninth row: [null,null,null,null,null,null,null,null,5521907,null]
digits in the tenth row: ["a81f3c2","77be041","0d91e6a","c40b7f9","9e2d015","3fa6c88","b12e7d4","e05c9a3","f00dbee","5521907"]
exponent in the last row: [null,null]
times: [null,null,2.5]
answers: [false,false,false]
outcomes: [false,false,false]
END
