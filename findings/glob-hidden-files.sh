#!/usr/bin/env bash
# @actions/glob: hidden files are all taken or all dropped, even one that is named
#
# Guess:     as in a shell: * leaves out names with a leading dot, and a pattern that writes the dot
#            finds them. excludeHiddenFiles only concerns wildcards.
# Happens:   by default * takes .env, and ** goes into .git. With excludeHiddenFiles, .coverage finds
#            nothing, although the line is its name, and nothing says so.
# Versions:  @actions/glob 0.7.0, minimatch 10.2.6 (which it brings), Node 24.21.0
# Seen:      2026-11-28
# Who meets it: actions that upload what a pattern finds: they publish .env, or, since they exclude
#            hidden files, lose .coverage and .nyc_output.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install @actions/glob@0.7.0

mkdir -p out/.cache
touch out/report.csv out/.env out/.cache/old.csv .coverage
cat > finding.mjs <<'JS'
import { create } from '@actions/glob'
import path from 'node:path'

for (const excludeHiddenFiles of [false, true]) {
  for (const line of ['out/*', 'out/**/*.csv', '.coverage', 'out/.cache/*.csv']) {
    const globber = await create(line, { excludeHiddenFiles, matchDirectories: false })
    const found = (await globber.glob()).map((file) => path.relative('.', file)).sort()
    console.log(`${excludeHiddenFiles ? 'excluded' : 'default'}, ${line}: ${found.join(' ') || 'nothing'}`)
  }
}
JS
play sh -c 'node finding.mjs | grep -v ^::debug::'
described <<'END'
default, out/*: out/.cache/old.csv out/.env out/report.csv
default, out/**/*.csv: out/.cache/old.csv out/report.csv
default, .coverage: .coverage
default, out/.cache/*.csv: out/.cache/old.csv
excluded, out/*: out/report.csv
excluded, out/**/*.csv: out/report.csv
excluded, .coverage: nothing
excluded, out/.cache/*.csv: nothing
END
