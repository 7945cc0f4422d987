#!/usr/bin/env bash
# @actions/glob: a folder that cannot be read ends the search, also if it is excluded
#
# Guess:     what a line with ! excludes is not opened; else the folder is passed over.
# Happens:   the search goes into excluded folders as well, and one without permission rejects it
#            with EACCES. Nothing is found, not even what lies elsewhere.
# Versions:  @actions/glob 0.7.0, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: workflows where a container or a service made a folder as root: **/*.csv fails in
#            every action that searches with this package, and no ! helps.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install @actions/glob@0.7.0

mkdir -p reports database
touch reports/a.csv database/b.csv
chmod 755 "$folder"
chmod 0 database
trap 'chmod 755 "$folder/database"; rm -rf "$folder"' EXIT
cat > finding.mjs <<'JS'
import { create } from '@actions/glob'
import path from 'node:path'

for (const lines of ['**/*.csv', '**/*.csv\n!database/**', '**/*.csv\n!database', 'reports/*.csv']) {
  const result = await create(lines)
    .then((globber) => globber.glob())
    .then(
      (found) => found.map((file) => path.relative('.', file)).join(' '),
      ({ code }) => code,
    )
  console.log(`${JSON.stringify(lines)}: ${result}`)
}
JS
# Root may read everything.
as_user=()
[ "$(id -u)" != 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
play ${as_user[@]+"${as_user[@]}"} sh -c 'node finding.mjs | grep -v ^::debug::'
described <<'END'
"**/*.csv": EACCES
"**/*.csv\n!database/**": EACCES
"**/*.csv\n!database": EACCES
"reports/*.csv": reports/a.csv
END
