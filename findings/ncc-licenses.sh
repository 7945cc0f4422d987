#!/usr/bin/env bash
# ncc: --license leaves out the packages of a chunk
#
# Guess:     the list has every package that is in the bundle.
# Happens:   a module that import() loads becomes a file of its own, and the list has the packages of
#            one of the files only: sometimes of the entry, sometimes of the other one. No warning.
# Versions:  @vercel/ncc 0.45.0, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: actions that load something large only when it is needed, and owe its license.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install @vercel/ncc@0.45.0 leven@4.1.0 p-map@7.1.1

npm pkg set type=module
cat > index.js <<'JS'
import leven from 'leven'
console.log(leven('a', 'b'))
if (process.argv[2] === 'map') await import('./map.js')
JS
cat > map.js <<'JS'
import pMap from 'p-map'
console.log(await pMap([1], (value) => value))
JS
play node_modules/.bin/ncc build index.js --out bundle --license licenses.txt --no-cache --quiet
bundled=$(cat bundle/*.js | grep -cE '^(async )?function (leven|pMap)\(')
listed=$(grep -cxE 'leven|p-map' bundle/licenses.txt)
play echo "$(ls bundle/*.js | wc -l) files, with $bundled packages, $listed of them in the list"
described <<'END'
2 files, with 2 packages, 1 of them in the list
END
