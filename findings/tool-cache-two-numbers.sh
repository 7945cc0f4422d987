#!/usr/bin/env bash
# @actions/tool-cache: version 25.1 of a tool is stored, and never found again
#
# Guess:     what cacheDir() stored as 25.1, find() finds as 25.1; else cacheDir() refuses it.
# Happens:   find() and findAllVersions() only know versions of three numbers without leading
#            zeros (SemVer). cacheDir() and cacheFile() also store 25.1, 2026.01.05, 1.2.3.4 and
#            nightly, with the mark of a complete entry, and return the folder. No error, no
#            warning. v1.2.3 is found, also as 1.2.3.
# Versions:  @actions/tool-cache 4.0.0, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: actions that install a tool with two numbers (protoc), or with a date: every job
#            on a self-hosted runner downloads it again.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install @actions/tool-cache@4.0.0

mkdir protoc && echo program > protoc/protoc
cat > finding.mjs <<'JS'
import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { cacheDir, find, findAllVersions } from '@actions/tool-cache'

for (const version of ['25.1.0', 'v1.2.3', '25.1', '18', '2026.01.05', '1.2.3.4', 'nightly']) {
  const tool = `protoc-${version}`
  const folder = await cacheDir('protoc', tool, version)
  const complete = existsSync(`${folder}.complete`) ? 'complete' : 'incomplete'
  const stored = `stored as ${basename(dirname(folder))}, ${complete}`
  const found = find(tool, version) === folder ? 'found' : 'not found'
  console.log(`${version}: ${stored}, ${found}, all versions: [${findAllVersions(tool)}]`)
}
JS
mkdir cache temporary
export RUNNER_TOOL_CACHE=$folder/cache RUNNER_TEMP=$folder/temporary
play bash -c "node finding.mjs | grep -v '^::debug::'"
described <<'END'
25.1.0: stored as 25.1.0, complete, found, all versions: [25.1.0]
v1.2.3: stored as 1.2.3, complete, found, all versions: [1.2.3]
25.1: stored as 25.1, complete, not found, all versions: []
18: stored as 18, complete, not found, all versions: []
2026.01.05: stored as 2026.01.05, complete, not found, all versions: []
1.2.3.4: stored as 1.2.3.4, complete, not found, all versions: []
nightly: stored as nightly, complete, not found, all versions: []
END
