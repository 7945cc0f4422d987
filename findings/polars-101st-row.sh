#!/usr/bin/env bash
# polars: the 101st row loses its decimals, and its new column
#
# Guess:     a table of rows is numbers with decimals if one of them has some, and has a column for
#            each key; else there is an error, as for a list of the same numbers.
# Happens:   polars looks at the first hundred rows. A time of 2.5 after a hundred times of 0 or 1 s
#            becomes 2, and a key that comes up later, the error of the first failed test, is left
#            out. No warning. read_json gives an error for the new key, but not for 2.5, read_ndjson
#            for 2.5, but not for the new key. With infer_schema_length=None, nothing is lost.
# Versions:  polars 2.1.0, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: reports of many tests that are made a table for a spreadsheet or a Parquet file.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install_python polars==2.1.0

cat > finding.py <<'PY'
import io
import json

import polars


def show(name, read, rows):
    try:
        table = read(rows)
        print(f'{name}: {", ".join(table.columns)}; last row {table.rows()[-1]}')
    except (polars.exceptions.ComputeError, TypeError) as error:
        print(f'{name}: {type(error).__name__}')


def from_json(rows):
    return polars.read_json(io.BytesIO(json.dumps(rows).encode()))


def from_ndjson(rows):
    return polars.read_ndjson(io.BytesIO('\n'.join(map(json.dumps, rows)).encode()))


for count in (99, 100):
    quick = [{'test': 'a', 'time': number % 2} for number in range(count)]
    for title, last in (
        ('time', {'test': 'b', 'time': 2.5}),
        ('error', {'test': 'b', 'time': 1, 'error': '413'}),
    ):
        print(f'{title} after {count} rows')
        rows = [*quick, last]
        show('  DataFrame', polars.DataFrame, rows)
        show('  read_json', from_json, rows)
        show('  read_ndjson', from_ndjson, rows)

times = [row['time'] for row in quick]
show('a list of 2.5', lambda values: polars.DataFrame({'time': values}), [*times, 2.5])
rows = [{'time': time} for time in [*times, -0.9]]
show('-0.9', polars.DataFrame, rows)
show('all rows', lambda rows: polars.DataFrame(rows, infer_schema_length=None), rows)
PY
play python/bin/python finding.py
described <<'END'
time after 99 rows
  DataFrame: test, time; last row ('b', 2.5)
  read_json: test, time; last row ('b', 2.5)
  read_ndjson: test, time; last row ('b', 2.5)
error after 99 rows
  DataFrame: test, time, error; last row ('b', 1, '413')
  read_json: test, time, error; last row ('b', 1, '413')
  read_ndjson: test, time, error; last row ('b', 1, '413')
time after 100 rows
  DataFrame: test, time; last row ('b', 2)
  read_json: test, time; last row ('b', 2)
  read_ndjson: ComputeError
error after 100 rows
  DataFrame: test, time; last row ('b', 1)
  read_json: ComputeError
  read_ndjson: test, time; last row ('b', 1)
a list of 2.5: TypeError
-0.9: time; last row (0,)
all rows: time; last row (-0.9,)
END
