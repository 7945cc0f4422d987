#!/usr/bin/env bash
# PyYAML: the text 12345e7, a short commit, is a number for other YAML libraries
#
# Guess:     a library that writes a text puts it in quotes if others could read it as a number.
# Happens:   each one only quotes what is a number for itself. PyYAML writes 12345e7, 1e3, 08 and 0o17
#            as they are: js-yaml, yaml and ruamel.yaml read 123450000000, 1000, 8 and 15. js-yaml
#            writes 7e12345, and yaml and ruamel.yaml read infinity. yaml and ruamel.yaml write
#            12:30, and PyYAML reads 750. No error.
# Versions:  PyYAML 6.0.4, ruamel.yaml 0.19.1, js-yaml 5.5.0, yaml 2.9.1, Node 24.21.0, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: files with a short commit (2 of 100 have this form) or a time, that a script in one
#            language writes for a tool in another one.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install js-yaml@5.5.0 yaml@2.9.1
install_python PyYAML==6.0.4 ruamel.yaml==0.19.1

cat > finding.mjs <<'JS'
// Writes texts, or reads what was written, with js-yaml and yaml, for finding.py.
import * as jsYaml from 'js-yaml'
import * as yaml from 'yaml'

const [how, input] = process.argv.slice(2)
const show = ({ commit }) => (typeof commit === 'string' ? `'${commit}'` : String(commit))
const libraries = {
  write: { 'js-yaml': (commit) => jsYaml.dump({ commit }), yaml: (commit) => yaml.stringify({ commit }) },
  read: { 'js-yaml': (text) => show(jsYaml.load(text)), yaml: (text) => show(yaml.parse(text)) },
}
const result = Object.entries(libraries[how]).map(([name, use]) => [name, JSON.parse(input).map(use)])
console.log(JSON.stringify(Object.fromEntries(result)))
JS
cat > finding.py <<'PY'
import io
import json
import subprocess
import ruamel.yaml
import yaml

def node(how, texts):
    return json.loads(subprocess.check_output(['node', 'finding.mjs', how, json.dumps(texts)]))

def ruamel_write(commit):
    stream = io.StringIO()
    ruamel.yaml.YAML().dump({'commit': commit}, stream)
    return stream.getvalue()

def ruamel_read(text):
    return repr(ruamel.yaml.YAML(typ='safe').load(text)['commit'])

texts = ['1a2b3c4', '12345e7', '7e12345', '1e3', '08', '0o17', '12:30']
written = {
    'PyYAML': [yaml.safe_dump({'commit': text}) for text in texts],
    'ruamel.yaml': [ruamel_write(text) for text in texts],
    **node('write', texts),
}
for writer, lines in written.items():
    read = {
        'PyYAML': [repr(yaml.safe_load(line)['commit']) for line in lines],
        'ruamel.yaml': [ruamel_read(line) for line in lines],
        **node('read', lines),
    }
    print(f'written by {writer}')
    for place, text in enumerate(texts):
        found = [(reader, values[place]) for reader, values in read.items()]
        others = [f'{reader} reads {value}' for reader, value in found if value != repr(text)]
        if others:
            print(f"  {lines[place].strip()}: {', '.join(others)}")
PY
play python/bin/python finding.py
described <<'END'
written by PyYAML
  commit: 12345e7: ruamel.yaml reads 123450000000.0, js-yaml reads 123450000000, yaml reads 123450000000
  commit: 7e12345: ruamel.yaml reads inf, yaml reads Infinity
  commit: 1e3: ruamel.yaml reads 1000.0, js-yaml reads 1000, yaml reads 1000
  commit: 08: ruamel.yaml reads 8, js-yaml reads 8, yaml reads 8
  commit: 0o17: ruamel.yaml reads 15, js-yaml reads 15, yaml reads 15
written by ruamel.yaml
  commit: 12:30: PyYAML reads 750
written by js-yaml
  commit: 7e12345: ruamel.yaml reads inf, yaml reads Infinity
written by yaml
  commit: 12:30: PyYAML reads 750
END
