import http from 'node:http'
import { fileURLToPath } from 'node:url'

// Tests on another runtime than the runner's would prove nothing.
export default async function setup() {
  const major = Number(process.versions.node.split('.')[0])
  if (major !== 24) {
    throw new Error(
      `The tests run on Node ${process.versions.node}, the action on Node 24. Run them by "npm test".`,
    )
  }
  // The newest tools come from registries, by the way that the machine has.
  if (!process.env.NEWEST) await removeWhatTestsMustNotSee()
}

/** Proxies, CI variables, a strict umask. jest's workers inherit the result. */
async function removeWhatTestsMustNotSee() {
  const { inheritedEnvironment } = await import('./processes.ts')
  // Node reads this one at its start.
  if (process.env.NODE_USE_ENV_PROXY) {
    http.setGlobalProxyFromEnv({ http_proxy: 'http://127.0.0.1:9', no_proxy: '*' })
  }
  const kept = inheritedEnvironment()
  for (const name of Object.keys(process.env)) if (!(name in kept)) delete process.env[name]
  // Scripts start faster, and npm leaves no cache in the temp folder. But coverage would be less
  // exact.
  if (!process.env.NODE_V8_COVERAGE) {
    process.env.NODE_COMPILE_CACHE = fileURLToPath(
      new URL('../../node_modules/.cache/node', import.meta.url),
    )
  }
  // Tests that run as another user need to read their files.
  process.umask(0o022)
}
