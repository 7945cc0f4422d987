#!/usr/bin/env bash
# XlsxWriter, pandas: a long URL leaves an empty cell
#
# Guess:     a text that begins with https:// is written as it is; at worst, it is no link.
# Happens:   it becomes a link, and if it is longer than 2,079 characters, nothing is written: the
#            cell is empty. There is a warning, and no error. With openpyxl, or with
#            strings_to_urls: False, the text is there.
# Versions:  pandas 3.1.1, xlsxwriter 3.3.1, openpyxl 3.1.5, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: spreadsheets of results with a link for each row, or with signed links.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install_python pandas==3.1.1 xlsxwriter==3.3.1 openpyxl==3.1.5

cat > finding.py <<'PY'
import openpyxl
import pandas

base = 'https://ci.example/?signature='
links = [base + 'a' * (length - len(base)) for length in (2079, 2080)]

def lengths(engine, **options):
    with pandas.ExcelWriter('links.xlsx', engine=engine, **options) as writer:
        pandas.DataFrame({'link': links, 'test': ['a', 'b']}).to_excel(writer, index=False)
    cells = [row[0] for row in openpyxl.load_workbook('links.xlsx').active.values][1:]
    return [None if cell is None else len(cell) for cell in cells]

print('xlsxwriter:', lengths('xlsxwriter'))
print('openpyxl:', lengths('openpyxl'))
plain = {'options': {'strings_to_urls': False}}
print('strings_to_urls: False:', lengths('xlsxwriter', engine_kwargs=plain))
PY
play python/bin/python -W ignore finding.py
described <<'END'
xlsxwriter: [2079, None]
openpyxl: [2079, 2080]
strings_to_urls: False: [2079, 2080]
END
