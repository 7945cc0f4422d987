// Without fetch, WebSocket, caches, mocks, interceptors and the other dispatchers.
const dispatcher = require('./lib/dispatcher/dispatcher.js')

// ProxyAgent opens its tunnels with connect().
dispatcher.prototype.connect = require('./lib/api/api-connect.js')

exports.Dispatcher = dispatcher
exports.Agent = require('./lib/dispatcher/agent.js')
exports.ProxyAgent = require('./lib/dispatcher/proxy-agent.js')
exports.EnvHttpProxyAgent = require('./lib/dispatcher/env-http-proxy-agent.js')
