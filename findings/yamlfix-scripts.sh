#!/usr/bin/env bash
# yamlfix: it changes the text in a block: scripts, comments, files that a step writes
#
# Guess:     a formatter of YAML leaves alone what is a text for YAML: the lines below "run: |".
# Happens:   its corrections look at lines, also at those in a block. In a script, "key: yes" becomes
#            "key: true", "item #1" "item  # 1", "#x" "# x", and empty lines go, in a here-document and in
#            the text of a message as well. prettier changes nothing in the blocks. Outside of them,
#            on and no become true and false, which for a variable (env) is another text.
# Versions:  yamlfix 1.19.1, prettier 3.10.1, PyYAML 6.0.4, Node 24.21.0, Python 3.11.7
# Seen:      2026-11-29
# Who meets it: workflows below a formatter or a pre-commit hook: the diff looks like white space.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install prettier@3.10.1
install_python yamlfix==1.19.1 PyYAML==6.0.4

cat > before.yml <<'YML'
---
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    env:
      DEPLOY: no
    steps:
      - run: |
          cat << END > notes.md
          Failed, see item #1

          key: yes
          #x
          END
      - uses: ./upload
        with:
          comment: |
            3 failed

            See the log.
YML
cat > read.py <<'PY'
import json
import sys

import yaml

job = yaml.load(open(sys.argv[1]), yaml.BaseLoader)['jobs']['test']
print(f'{sys.argv[1]}: DEPLOY is', job['env']['DEPLOY'])
for text in [job['steps'][0]['run'], job['steps'][1]['with']['comment']]:
    print(' ', json.dumps(text))
PY
cp before.yml yamlfix.yml
cp before.yml prettier.yml
python/bin/yamlfix yamlfix.yml > log.txt 2>&1
node_modules/.bin/prettier --log-level silent --write prettier.yml
for file in before prettier yamlfix; do play python/bin/python read.py $file.yml; done
described <<'END'
before.yml: DEPLOY is no
  "cat << END > notes.md\nFailed, see item #1\n\nkey: yes\n#x\nEND\n"
  "3 failed\n\nSee the log.\n"
prettier.yml: DEPLOY is no
  "cat << END > notes.md\nFailed, see item #1\n\nkey: yes\n#x\nEND\n"
  "3 failed\n\nSee the log.\n"
yamlfix.yml: DEPLOY is false
  "cat << END > notes.md\nFailed, see item  # 1\nkey: true\n# x\nEND\n"
  "3 failed\nSee the log."
END
