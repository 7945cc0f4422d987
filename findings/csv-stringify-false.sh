#!/usr/bin/env bash
# csv-stringify, json-2-csv, fast-csv: the CSV of one object has false as nothing, null as a word
#
# Guess:     false, null and a date are false, an empty cell and an ISO date, and a column is called
#            as its key.
# Happens:   csv-stringify writes false as an empty cell, true as 1, and a date in milliseconds.
#            json-2-csv writes the words null and undefined, and calls the column time.ms
#            "time\.ms". fast-csv and json-2-csv write a date for people, in the time zone of the
#            job. papaparse does what one guesses. No warning.
# Versions:  csv-stringify 6.9.0, json-2-csv 5.6.0, fast-csv 5.0.8, papaparse 5.7.1, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: reports with a column "passed": the failed ones have no value, as if they never ran.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install csv-stringify@6.9.0 json-2-csv@5.6.0 fast-csv@5.0.8 papaparse@5.7.1

cat > finding.mjs <<'JS'
import { stringify } from 'csv-stringify/sync'
import { writeToString } from 'fast-csv'
import { json2csv } from 'json-2-csv'
import papaparse from 'papaparse'

const at = new Date(Date.UTC(2026, 10, 28))
const rows = [
  { test: 'small', passed: true, 'time.ms': 12, at, owner: null },
  { test: 'large', passed: false, 'time.ms': 0, at, owner: undefined },
]
const write = {
  papaparse: () => papaparse.unparse(rows),
  'csv-stringify': () => stringify(rows, { header: true }),
  'fast-csv': () => writeToString(rows, { headers: true }),
  'json-2-csv': () => json2csv(rows),
}
for (const [name, text] of Object.entries(write)) {
  console.log(`${name}\n${(await text()).trim().replaceAll('\r', '')}`)
}
JS
TZ=UTC LC_ALL=C play node finding.mjs
described <<'END'
papaparse
test,passed,time.ms,at,owner
small,true,12,2026-11-28T00:00:00.000Z,
large,false,0,2026-11-28T00:00:00.000Z,
csv-stringify
test,passed,time.ms,at,owner
small,1,12,1795824000000,
large,,0,1795824000000,
fast-csv
test,passed,time.ms,at,owner
small,true,12,Sat Nov 28 2026 00:00:00 GMT+0000 (Coordinated Universal Time),
large,false,0,Sat Nov 28 2026 00:00:00 GMT+0000 (Coordinated Universal Time),
json-2-csv
test,passed,time\.ms,at,owner
small,true,12,Sat Nov 28 2026 00:00:00 GMT+0000 (Coordinated Universal Time),null
large,false,0,Sat Nov 28 2026 00:00:00 GMT+0000 (Coordinated Universal Time),undefined
END
