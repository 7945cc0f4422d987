#!/usr/bin/env bash
# act: a key of the cache that is saved a second time has the new content, which it never has on GitHub
#
# Guess:     the second save is refused, as GitHub does it: a cache cannot be changed.
# Happens:   the cache server of act takes both, and "Cache saved successfully" stands in the log each
#            time. The newer one is restored, by its whole key or by the start of it. Within one
#            second, it can be the older one. Keys lose their case: Linux-npm-1 is restored as
#            linux-npm-1, and so is LINUX-NPM-1.
# Versions:  github.com/nektos/act v0.2.89, @actions/cache 6.3.0, Node 24.21.0, Go 1.26.8
# Seen:      2026-11-29
# Who meets it: a workflow that was tried out with act, and keeps its last results under one key: on
#            GitHub, it restores those of its first run for ever.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install @actions/cache@6.3.0

cat > main.go <<'GO'
package main

import (
	"fmt"
	"io"
	"time"

	"github.com/nektos/act/pkg/artifactcache"
	"github.com/sirupsen/logrus"
)

func main() {
	logger := logrus.New()
	logger.SetOutput(io.Discard)
	handler, err := artifactcache.StartHandler("store", "", "127.0.0.1", 0, logger)
	if err != nil {
		panic(err)
	}
	fmt.Println(handler.ExternalURL())
	time.Sleep(time.Minute)
}
GO
build_go github.com/nektos/act/pkg/artifactcache@v0.2.89
cat > finding.mjs <<'JS'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { restoreCache, saveCache } from '@actions/cache'

const server = spawn('./finding')
const [url] = await once(server.stdout, 'data')
Object.assign(process.env, {
  ACTIONS_CACHE_URL: `${String(url).trim()}/`,
  ACTIONS_RUNTIME_TOKEN: 'token',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_WORKSPACE: process.cwd(),
  RUNNER_TEMP: process.cwd(),
})
for (const content of ['first', 'second']) {
  // The server counts in seconds.
  await setTimeout(2000)
  writeFileSync('result.txt', content)
  const id = await saveCache(['result.txt'], 'Linux-npm-1')
  console.log(`FINDING ${content} content: saved with the ID ${id}`)
}
for (const keys of [['Linux-npm-1'], ['LINUX-NPM-1'], ['Linux-npm-2', 'Linux-npm-']]) {
  writeFileSync('result.txt', 'none')
  const [key, ...others] = keys
  const restored = await restoreCache(['result.txt'], key, others)
  const content = readFileSync('result.txt', 'utf8')
  console.log(`FINDING ${keys.join(', ')}: restored ${restored}, ${content} content`)
}
server.kill()
JS
play sh -c 'node finding.mjs | sed -n "s/^FINDING //p"'
described <<'END'
first content: saved with the ID 1
second content: saved with the ID 2
Linux-npm-1: restored linux-npm-1, second content
LINUX-NPM-1: restored linux-npm-1, second content
Linux-npm-2, Linux-npm-: restored linux-npm-1, second content
END
