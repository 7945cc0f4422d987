#!/usr/bin/env bash
# Biome: the migration of "recommended": true can switch every rule off
#
# Guess:     biome migrate keeps the meaning: the recommended rules stay on.
# Happens:   if nothing else stands beside it, {"recommended": true} becomes {"preset": "none"}, and
#            biome lint finds nothing any more: "configuration successfully migrated", exit code 0,
#            green from then on. With a rule beside it, it becomes "recommended", as it should.
# Versions:  @biomejs/biome 2.5.15, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: projects with the shortest configuration, at an update.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install @biomejs/biome@2.5.15

echo 'debugger' > index.js
biome() { node node_modules/@biomejs/biome/bin/biome "$@" > log.txt 2>&1 && echo passes || echo fails; }
for rules in '{ "recommended": true }' '{ "recommended": true, "style": { "useConst": "error" } }'; do
  echo "{ \"linter\": { \"rules\": $rules } }" > biome.json
  before=$(biome lint index.js)
  biome migrate --write > /dev/null
  preset=$(node -p 'JSON.parse(fs.readFileSync("biome.json")).linter.rules.preset')
  play echo "$rules: lint $before, migrated to \"$preset\", lint $(biome lint index.js)"
done
described <<'END'
{ "recommended": true }: lint fails, migrated to "none", lint passes
{ "recommended": true, "style": { "useConst": "error" } }: lint fails, migrated to "recommended", lint fails
END
