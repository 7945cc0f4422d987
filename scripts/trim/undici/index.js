// Without fetch, WebSocket, caches, mocks, interceptors, and the dispatchers that src/ does not
// import.
const dispatcher = require('./lib/dispatcher/dispatcher.js')

// The agent for proxies opens its tunnels with connect().
dispatcher.prototype.connect = require('./lib/api/api-connect.js')

exports.Agent = require('./lib/dispatcher/agent.js')
exports.EnvHttpProxyAgent = require('./lib/dispatcher/env-http-proxy-agent.js')
// Only @actions/http-client imports it, which is left out afterward.
exports.ProxyAgent = require('./lib/dispatcher/proxy-agent.js')
