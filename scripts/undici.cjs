// What the bundle takes for undici: its dispatchers. The rest of the package (fetch, web sockets, caches, mocks) would be
// half of the bundle and a sixth of a cold start, because @actions/http-client, a part of @actions/core, loads all of it.
const dispatcher = require('undici/lib/dispatcher/dispatcher.js')

dispatcher.prototype.request = require('undici/lib/api/api-request.js')
// What a proxy is asked to open a tunnel by.
dispatcher.prototype.connect = require('undici/lib/api/api-connect.js')

exports.Agent = require('undici/lib/dispatcher/agent.js')
exports.EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js')
exports.ProxyAgent = require('undici/lib/dispatcher/proxy-agent.js')
