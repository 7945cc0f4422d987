// undici's own index.js without fetch, WebSocket, caches, mocks, interceptors and the other dispatchers.
const dispatcher = require('undici/lib/dispatcher/dispatcher.js')

// ProxyAgent opens its tunnels with connect().
dispatcher.prototype.connect = require('undici/lib/api/api-connect.js')

exports.Dispatcher = dispatcher
exports.Agent = require('undici/lib/dispatcher/agent.js')
exports.ProxyAgent = require('undici/lib/dispatcher/proxy-agent.js')
exports.EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js')
