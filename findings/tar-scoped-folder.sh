#!/usr/bin/env bash
# tar (npm): a folder whose name begins with @ is looked for without it
#
# Guess:     tar.create({ file, cwd }, ['@scope']) adds the folder, as GNU tar does.
# Happens:   @ in front means "add the entries of this archive": it reads scope, which is missing, and
#            gives up. If there is an archive of this name, its files are added in place of the folder.
#            ./@scope is the folder.
# Versions:  tar 7.5.23, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: whoever packs node_modules by its entries, one by one: scoped packages begin with @.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install tar@7.5.23

cat > finding.mjs <<'JS'
import { mkdirSync, writeFileSync } from 'node:fs'
import { create, list } from 'tar'

const make = (folder, name) => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/${name}`, name)
}
const pack = async (file, cwd, entry) => {
  await create({ file, cwd }, [entry])
  const entries = []
  await list({ file, onReadEntry: (each) => entries.push(each.path) })
  return entries.join(' ')
}
const show = async (what, promise) =>
  console.log(`${what}: ${await promise.catch(({ code, syscall }) => `${code} ${syscall}`)}`)

make('modules/@scope', 'index.js')
await show('@scope', pack('a.tar', 'modules', '@scope'))
await show('./@scope', pack('b.tar', 'modules', './@scope'))
make('other', 'other.js')
await show('scope', pack('modules/scope', 'other', 'other.js'))
await show('@scope beside scope', pack('c.tar', 'modules', '@scope'))
JS
play node finding.mjs
described <<'END'
@scope: ENOENT stat
./@scope: ./@scope/ ./@scope/index.js
scope: other.js
@scope beside scope: other.js
END
