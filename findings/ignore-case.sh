#!/usr/bin/env bash
# npm pack, prettier, globby: .gitignore is read without case, unlike git on Linux
#
# Guess:     where file names have case, "Reports/" in .gitignore concerns Reports, not reports.
# Happens:   so it is for git and for pathspec of Python. npm pack leaves reports/ out of the
#            package, prettier --check passes its files without a look, and globby({ gitignore: true })
#            does not find them. The package ignore, which the latter two use, has an option for it
#            that they do not set. No warning.
# Versions:  npm 11.19.1, prettier 3.10.1, globby 16.2.4, ignore 7.0.17, pathspec 1.1.1,
#            Node 24.21.0, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: repositories with a folder Build/ that is made, and a folder build/ with its sources.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
command -v git > /dev/null || { echo 'There is no git here.' && exit 2; }
install npm@11.19.1 prettier@3.10.1 globby@16.2.4 ignore@7.0.17
install_python pathspec==1.1.1

mkdir -p project/Reports project/reports
cd project
printf '%s\n' Reports/ '*.TMP.js' > .gitignore
echo '{ "name": "project", "version": "1.0.0" }' > package.json
for file in Reports/made.js reports/source.js index.js x.tmp.js; do echo 'let a  =  1' > $file; done
git init --quiet

cat > ../finding.py <<'PY'
import pathlib
import pathspec
spec = pathspec.GitIgnoreSpec.from_lines(pathlib.Path('.gitignore').read_text().splitlines())
print(*sorted(file for file in spec.match_tree_files('.', negate=True) if file.endswith('.js')))
PY
cat > ../finding.mjs <<'JS'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { globby } from 'globby'
import ignore from 'ignore'

const run = (program, ...options) => spawnSync(program, options, { encoding: 'utf8' })
const all = globSync('**/*.js')
const patterns = readFileSync('.gitignore', 'utf8')
const packed = run('../node_modules/.bin/npm', 'pack', '--dry-run', '--json').stdout
const [{ files }] = Object.values(JSON.parse(packed))
const seen = {
  git: run('git', 'ls-files', '-o', '--exclude-standard', '*.js').stdout.split('\n'),
  pathspec: run('../python/bin/python', '../finding.py').stdout.trim().split(' '),
  'npm pack': files.map(({ path }) => path),
  prettier: run('../node_modules/.bin/prettier', '--list-different', '**/*.js').stdout.split('\n'),
  globby: await globby('**/*.js', { gitignore: true }),
  ignore: ignore().add(patterns).filter(all),
  'ignore with ignorecase: false': ignore({ ignorecase: false }).add(patterns).filter(all),
}
for (const [name, list] of Object.entries(seen))
  console.log(`${name}: ${list.filter((path) => path.endsWith('.js')).sort().join(', ')}`)
JS
cd ..
play bash -c 'cd project && node ../finding.mjs'
described <<'END'
git: index.js, reports/source.js, x.tmp.js
pathspec: index.js, reports/source.js, x.tmp.js
npm pack: index.js
prettier: index.js
globby: index.js
ignore: index.js
ignore with ignorecase: false: index.js, reports/source.js, x.tmp.js
END
