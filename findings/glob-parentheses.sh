#!/usr/bin/env bash
# fast-glob, globby, tinyglobby: the name of a file with parentheses does not find it
#
# Guess:     parentheses mean something behind one of ?*+@! only, as in a shell (extglob). A path
#            without a wildcard finds the file with this path.
# Happens:   these three are built on picomatch or micromatch, which read (1) as a group of a
#            regular expression. fast-glob and globby do not find "report (1).csv" by its name,
#            tinyglobby finds another file, "report 1.csv", and for the folder (shop) that of the
#            folder shop. The packages glob, Node's own glob and Python's take parentheses as they
#            stand.
# Versions:  fast-glob 3.3.3, globby 16.2.4, tinyglobby 0.2.17, picomatch 4.0.7 and micromatch 4.0.8
#            (which they bring), glob 14.0.6, Node 24.21.0, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: "report (1).csv" of a browser's second download, and folders of a router.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install fast-glob@3.3.3 globby@16.2.4 tinyglobby@0.2.17 glob@14.0.6

mkdir -p 'files/app/(shop)' files/app/shop
touch 'files/report (1).csv' 'files/report 1.csv' 'files/app/(shop)/a.csv' files/app/shop/b.csv
cat > finding.mjs <<'JS'
import { execFileSync } from 'node:child_process'
import { globSync as nodeGlob } from 'node:fs'
import fastGlob from 'fast-glob'
import { globSync } from 'glob'
import { globbySync } from 'globby'
import { globSync as tinyGlob } from 'tinyglobby'

const python = 'import glob, json, sys; print(json.dumps(glob.glob(sys.argv[1])))'
process.chdir('files')
const search = {
  'fast-glob': fastGlob.sync,
  globby: globbySync,
  tinyglobby: tinyGlob,
  glob: globSync,
  Node: nodeGlob,
  Python: (pattern) => JSON.parse(execFileSync('python3', ['-c', python, pattern])),
}
for (const pattern of ['report (1).csv', 'app/(shop)/*.csv']) {
  for (const [name, find] of Object.entries(search)) {
    console.log(`${pattern}, ${name}: ${[...find(pattern)].join(', ') || 'nothing'}`)
  }
}
JS
play node --no-warnings finding.mjs
described <<'END'
report (1).csv, fast-glob: nothing
report (1).csv, globby: nothing
report (1).csv, tinyglobby: report 1.csv
report (1).csv, glob: report (1).csv
report (1).csv, Node: report (1).csv
report (1).csv, Python: report (1).csv
app/(shop)/*.csv, fast-glob: nothing
app/(shop)/*.csv, globby: nothing
app/(shop)/*.csv, tinyglobby: app/shop/b.csv
app/(shop)/*.csv, glob: app/(shop)/a.csv
app/(shop)/*.csv, Node: app/(shop)/a.csv
app/(shop)/*.csv, Python: app/(shop)/a.csv
END
