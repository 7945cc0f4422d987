#!/usr/bin/env bash
# pandas: 30 hours are shown as 1 in a spreadsheet, and 90 seconds as 0
#
# Guess:     to_excel writes a column of durations as openpyxl does, which it uses: as times.
# Happens:   it writes days as a number, with the format "0", although openpyxl alone writes 1.25
#            with [hh]:mm:ss. A spreadsheet rounds what it shows, and pandas itself reads numbers
#            back, while it reads durations from the file of openpyxl. No warning.
# Versions:  pandas 3.1.1, openpyxl 3.1.5, xlsx 0.18.5 (which shows what a spreadsheet does),
#            Python 3.11.7, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: spreadsheets of test times: every suite took 0.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install xlsx@0.18.5
PIP_NO_COMPILE=1 install_python pandas==3.1.1 openpyxl==3.1.5

cat > finding.py <<'PY'
from datetime import timedelta

import openpyxl
import pandas

column = {'time': [timedelta(seconds=90), timedelta(hours=30)]}
book = openpyxl.Workbook()
book.active.append(['time'])
for time in column['time']:
    book.active.append([time])
book.save('openpyxl.xlsx')
pandas.DataFrame(column).to_excel('pandas.xlsx', index=False, engine='openpyxl')
for name in ['openpyxl', 'pandas']:
    path = f'{name}.xlsx'
    cell = openpyxl.load_workbook(path).active['A3']
    kind = pandas.read_excel(path, engine='openpyxl')['time'].dtype.kind
    print(f'{name}: format {cell.number_format}, pandas reads', {'m': 'durations', 'f': 'numbers'}[kind])
PY
cat > finding.cjs <<'JS'
const xlsx = require('xlsx')

for (const name of ['openpyxl', 'pandas']) {
  const { Sheets, SheetNames } = xlsx.readFile(`${name}.xlsx`)
  const lines = xlsx.utils.sheet_to_csv(Sheets[SheetNames[0]]).trim().split('\n')
  console.log(`${name}: shown as ${lines.slice(1).join(', ')}`)
}
JS
play python/bin/python finding.py
play node finding.cjs
described <<'END'
openpyxl: format [hh]:mm:ss, pandas reads durations
pandas: format 0, pandas reads numbers
openpyxl: shown as 00:01:30, 30:00:00
pandas: shown as 0, 1
END
