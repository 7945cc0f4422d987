#!/usr/bin/env bash
# pyarrow, pandas: a row with one empty cell is lost
#
# Guess:     a library reads as many rows as it wrote, whatever is in their cells.
# Happens:   null in a file with one column is an empty line. pyarrow skips empty lines, also its
#            own, and so does pandas, which writes "" itself. polars and DuckDB read a row.
#            A second column is enough to keep all rows. No warning.
# Versions:  pyarrow 26.0.1, pandas 3.1.1, polars 2.1.0, duckdb 2.0.1, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: a column that is written alone, to be joined again by its position.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install_python pyarrow==26.0.1 pandas==3.1.1 polars==2.1.0 duckdb==2.0.1

cat > finding.py <<'PY'
import duckdb
import pandas
import polars
import pyarrow
from pyarrow import csv

column = {'owner': ['ann', None, 'bob']}
write = {
    'pyarrow': lambda path: csv.write_csv(pyarrow.table(column), path),
    'pandas': lambda path: pandas.DataFrame(column).to_csv(path, index=False),
    'polars': lambda path: polars.DataFrame(column).write_csv(path),
    'duckdb': lambda path: duckdb.from_arrow(pyarrow.table(column)).write_csv(path),
}
read = {
    'pyarrow': lambda path: csv.read_csv(path).num_rows,
    'pandas': lambda path: len(pandas.read_csv(path)),
    'polars': lambda path: len(polars.read_csv(path)),
    'duckdb': lambda path: len(duckdb.read_csv(path).fetchall()),
}
for writer, write_to in write.items():
    path = f'{writer}.csv'
    write_to(path)
    counts = ', '.join(f'{reader} {count(path)}' for reader, count in read.items())
    print(f'3 rows of {writer}: {counts}')

two = pyarrow.table({**column, 'file': ['a', None, 'c']})
csv.write_csv(two, 'two.csv')
print('two columns of pyarrow: pyarrow', read['pyarrow']('two.csv'))
PY
play python/bin/python finding.py
described <<'END'
3 rows of pyarrow: pyarrow 2, pandas 2, polars 3, duckdb 3
3 rows of pandas: pyarrow 3, pandas 3, polars 3, duckdb 3
3 rows of polars: pyarrow 2, pandas 2, polars 3, duckdb 3
3 rows of duckdb: pyarrow 2, pandas 2, polars 3, duckdb 3
two columns of pyarrow: pyarrow 3
END
