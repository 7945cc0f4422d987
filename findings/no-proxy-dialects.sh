#!/usr/bin/env bash
# no_proxy: undici, Node's http and Python's requests read the same value differently
#
# Guess:     a job has one no_proxy, and its programs agree which hosts it names.
# Happens:   of eight common ways to write an exception, three mean the same to all. A name covers
#            its subdomains for two of them; "*." and a port work for two, a network (CIDR) and a
#            list with blanks for one each.
# Versions:  undici 8.12.4, Node 24.21.0, requests 2.32.5, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: self-hosted runners behind a proxy. Only .example.com, a whole name and a whole
#            address are safe to write.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install undici@8.12.4
install_python requests==2.32.5

# No name here exists, and nothing listens on these addresses: an error means that the proxy was
# left out.
cat > cases.json <<'JSON'
[
  ["a.test", "http://a.test/"],
  [".a.test", "http://x.a.test/"],
  ["127.1.2.3", "http://127.1.2.3:9/"],
  ["a.test", "http://x.a.test/"],
  ["*.a.test", "http://x.a.test/"],
  ["127.1.0.0/16", "http://127.1.2.3:9/"],
  ["a.test:80", "http://a.test/"],
  ["b.test a.test", "http://a.test/"]
]
JSON
cat > finding.mjs <<'JS'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { EnvHttpProxyAgent, request } from 'undici'

const proxy = http.createServer((_, response) => response.end('proxy'))
await once(proxy.listen(0, '127.0.0.1'), 'listening')
const http_proxy = `http://127.0.0.1:${proxy.address().port}`
const cases = JSON.parse(readFileSync('cases.json', 'utf8'))
const script = ['finding.py', http_proxy]
const { stdout } = await promisify(execFile)('python/bin/python', script)
const requests = JSON.parse(stdout)
for (const [index, [no_proxy, url]] of cases.entries()) {
  const dispatcher = new EnvHttpProxyAgent({ httpProxy: http_proxy, noProxy: no_proxy })
  const undici = await request(url, { dispatcher }).then(
    ({ body }) => body.text(),
    () => 'direct',
  )
  const agent = new http.Agent({ proxyEnv: { http_proxy, no_proxy } })
  const node = await once(http.get(url, { agent }), 'response').then(
    ([response]) => text(response),
    () => 'direct',
  )
  console.log(`${no_proxy}, ${url}: undici ${undici}, http ${node}, requests ${requests[index]}`)
  await dispatcher.destroy()
}
proxy.closeAllConnections()
proxy.close()
JS
cat > finding.py <<'PY'
import json
import os
import sys
import requests

os.environ['http_proxy'] = sys.argv[1]
results = []
for no_proxy, url in json.load(open('cases.json')):
    os.environ['no_proxy'] = no_proxy
    try:
        results.append(requests.get(url, timeout=10).text)
    except requests.ConnectionError:
        results.append('direct')
print(json.dumps(results))
PY
unset http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY
play node finding.mjs
described <<'END'
a.test, http://a.test/: undici direct, http direct, requests direct
.a.test, http://x.a.test/: undici direct, http direct, requests direct
127.1.2.3, http://127.1.2.3:9/: undici direct, http direct, requests direct
a.test, http://x.a.test/: undici direct, http proxy, requests direct
*.a.test, http://x.a.test/: undici direct, http direct, requests proxy
127.1.0.0/16, http://127.1.2.3:9/: undici proxy, http proxy, requests direct
a.test:80, http://a.test/: undici direct, http direct, requests proxy
b.test a.test, http://a.test/: undici direct, http proxy, requests proxy
END
