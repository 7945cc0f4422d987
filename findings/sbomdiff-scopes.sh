#!/usr/bin/env bash
# sbomdiff: a package with the same name in another scope hides a new version
#
# Guess:     packages are compared by what identifies them, the purl, or group and name: @jest/core
#            30 that becomes 31 is a change, and a package that is there twice has both versions.
# Happens:   sbomdiff knows the name alone, and the first package with it. Behind @babel/core, any
#            @jest/core is "no change", with the exit code 0, also if it is gone or new. If the
#            older one of two versions of ms is gone, it says that ms was changed.
# Versions:  sbomdiff 0.6.0, lib4sbom 0.10.4 (which it brings), Python 3.11.7
# Seen:      2026-11-28
# Who meets it: jobs that post which packages a pull request changes: core, utils and types are in
#            many scopes. cyclonedx-npm writes the scope as the group, too.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
PIP_NO_COMPILE=1 install_python sbomdiff==0.6.0 lib4sbom==0.10.4

cat > finding.py <<'PY'
import json
import subprocess


def write(path, packages):
    components = []
    for purl in packages:
        name, version = purl.rsplit('@', 1)
        scope, _, name = name.rpartition('/')
        group = {'group': scope} if scope else {}
        purl = f'pkg:npm/{purl}'.replace('/@', '/%40')
        component = {'type': 'library', 'bom-ref': purl, **group, 'name': name, 'version': version}
        components.append({**component, 'purl': purl})
    bom = {'bomFormat': 'CycloneDX', 'specVersion': '1.6', 'version': 1, 'components': components}
    with open(path, 'w') as file:
        json.dump(bom, file)


def compare(before, after):
    write('before.json', before)
    write('after.json', after)
    command = ['python/bin/sbomdiff', 'before.json', 'after.json']
    result = subprocess.run(command, capture_output=True, text=True)
    changes = [line for line in result.stdout.splitlines() if line.startswith('[')]
    print(f'{" ".join(before)} -> {" ".join(after)}')
    print('  ', *changes or ['no change'], '; status', result.returncode)


babel = '@babel/core@7.0.0'
compare([babel, '@jest/core@30.0.0'], ['@babel/core@8.0.0', '@jest/core@30.0.0'])
compare([babel, '@jest/core@30.0.0'], [babel, '@jest/core@31.0.0'])
compare([babel, '@jest/core@30.0.0'], [babel])
compare([babel], [babel, '@jest/core@30.0.0'])
compare(['ms@2.0.0', 'ms@2.1.3'], ['ms@2.1.3'])
PY
play python/bin/python finding.py
described <<'END'
@babel/core@7.0.0 @jest/core@30.0.0 -> @babel/core@8.0.0 @jest/core@30.0.0
   [VERSION] core: Version changed from 7.0.0 to 8.0.0 ; status 1
@babel/core@7.0.0 @jest/core@30.0.0 -> @babel/core@7.0.0 @jest/core@31.0.0
   no change ; status 0
@babel/core@7.0.0 @jest/core@30.0.0 -> @babel/core@7.0.0
   no change ; status 0
@babel/core@7.0.0 -> @babel/core@7.0.0 @jest/core@30.0.0
   no change ; status 0
ms@2.0.0 ms@2.1.3 -> ms@2.1.3
   [VERSION] ms: Version changed from 2.0.0 to 2.1.3 ; status 1
END
