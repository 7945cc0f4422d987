#!/usr/bin/env bash
# exceljs, SheetJS, openpyxl: the test irq_x0041_ok is irqAok in the spreadsheet
#
# Guess:     a text comes back as it was written, at least to the library that wrote it.
# Happens:   in a text of an XLSX file, _x0041_ stands for the character with this code (ISO/IEC
#            29500, ST_Xstring), so a text that has this form must be escaped. Only XlsxWriter does
#            it. exceljs, SheetJS and write-excel-file write it as it is, and what exceljs and SheetJS
#            read from their own files is irqAok. openpyxl neither writes nor reads the form, so it
#            does not see what the others show. xlsx2csv shows the escape. No error, no warning.
# Versions:  exceljs 4.4.0, xlsx 0.18.5, write-excel-file 4.1.1, read-excel-file 9.3.17, openpyxl 3.1.5,
#            xlsxwriter 3.3.1, python-calamine 0.9.1, xlsx2csv 0.8.6, Node 24.21.0, Python 3.11.7
# Seen:      2026-11-29
# Who meets it: spreadsheets of tests that are named after a register or an address, as in firmware.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install exceljs@4.4.0 xlsx@0.18.5 write-excel-file@4.1.1 read-excel-file@9.3.17
install_python openpyxl==3.1.5 xlsxwriter==3.3.1 python-calamine==0.9.1 xlsx2csv==0.8.6

cat > write.mjs <<'JS'
import exceljs from 'exceljs'
import writeExcelFile from 'write-excel-file/node'
import xlsx from 'xlsx'

const text = 'irq_x0041_ok'
const workbook = new exceljs.Workbook()
workbook.addWorksheet('tests').addRow([text])
await workbook.xlsx.writeFile('exceljs.xlsx')
const book = xlsx.utils.book_new()
xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([[text]]), 'tests')
xlsx.writeFile(book, 'SheetJS.xlsx')
await writeExcelFile([[{ value: text, type: String }]]).toFile('write-excel-file.xlsx')
JS
cat > read.mjs <<'JS'
import exceljs from 'exceljs'
import readExcelFile from 'read-excel-file/node'
import xlsx from 'xlsx'

const [file] = process.argv.slice(2)
const workbook = new exceljs.Workbook()
await workbook.xlsx.readFile(file)
const book = xlsx.readFile(file)
const [sheet] = await readExcelFile(file)
console.log(
  ` exceljs ${workbook.worksheets[0].getCell('A1').value},`,
  `SheetJS ${book.Sheets[book.SheetNames[0]].A1.v},`,
  `read-excel-file ${sheet.data[0][0]}`,
)
JS
cat > write.py <<'PY'
import openpyxl
import xlsxwriter

text = 'irq_x0041_ok'
workbook = openpyxl.Workbook()
workbook.active.append([text])
workbook.save('openpyxl.xlsx')
workbook = xlsxwriter.Workbook('XlsxWriter.xlsx')
workbook.add_worksheet().write_string(0, 0, text)
workbook.close()
PY
cat > read.py <<'PY'
import subprocess
import sys
import warnings

import openpyxl
import python_calamine

warnings.simplefilter('ignore')  # of openpyxl: a file without a style
file = sys.argv[1]
calamine = python_calamine.CalamineWorkbook.from_path(file).get_sheet_by_index(0).to_python()[0][0]
xlsx2csv = subprocess.run(['python/bin/xlsx2csv', file], capture_output=True, text=True).stdout.strip()
openpyxl_text = openpyxl.load_workbook(file).worksheets[0]['A1'].value
print(f' openpyxl {openpyxl_text}, calamine {calamine}, xlsx2csv {xlsx2csv}')
PY
node write.mjs
python/bin/python write.py
for name in exceljs SheetJS write-excel-file openpyxl XlsxWriter; do
  play echo "written by $name, and read by"
  play node read.mjs $name.xlsx
  play python/bin/python read.py $name.xlsx
done
described <<'END'
written by exceljs, and read by
 exceljs irqAok, SheetJS irqAok, read-excel-file irqAok
 openpyxl irq_x0041_ok, calamine irqAok, xlsx2csv irq_x0041_ok
written by SheetJS, and read by
 exceljs irq_x0041_ok, SheetJS irqAok, read-excel-file irqAok
 openpyxl irq_x0041_ok, calamine irqAok, xlsx2csv irq_x0041_ok
written by write-excel-file, and read by
 exceljs irqAok, SheetJS irqAok, read-excel-file irqAok
 openpyxl irq_x0041_ok, calamine irqAok, xlsx2csv irq_x0041_ok
written by openpyxl, and read by
 exceljs irq_x0041_ok, SheetJS irqAok, read-excel-file irqAok
 openpyxl irq_x0041_ok, calamine irqAok, xlsx2csv irq_x0041_ok
written by XlsxWriter, and read by
 exceljs irq_x0041_ok, SheetJS irq_x0041_ok, read-excel-file irq_x0041_ok
 openpyxl irq_x0041_ok, calamine irq_x0041_ok, xlsx2csv irq_x005F_x0041_ok
END
