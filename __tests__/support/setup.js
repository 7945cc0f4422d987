import http from 'node:http'
import { fileURLToPath } from 'node:url'

// Tests have to run on the runtime that the runner will use: what passes elsewhere proves nothing.
export default async function setup() {
  const major = Number(process.versions.node.split('.')[0])
  if (major !== 24) {
    throw new Error(
      `The tests run on Node ${process.versions.node}, the action on Node 24. Run them by "npm test".`,
    )
  }
  await removeWhatTestsMustNotSee()
}

/** Proxies, the CI's variables, a strict umask: jest's workers inherit what is set here. */
async function removeWhatTestsMustNotSee() {
  const { inheritedEnvironment } = await import('./processes.ts')
  // Node reads this one before any code runs.
  if (process.env.NODE_USE_ENV_PROXY) {
    http.setGlobalProxyFromEnv({ http_proxy: 'http://127.0.0.1:9', no_proxy: '*' })
  }
  const kept = inheritedEnvironment()
  for (const name of Object.keys(process.env)) if (!(name in kept)) delete process.env[name]
  // Scripts start faster, and npm, which some tests run, leaves no cache in the temp folder.
  // With it, coverage would be less exact.
  if (!process.env.NODE_V8_COVERAGE) {
    process.env.NODE_COMPILE_CACHE = fileURLToPath(
      new URL('../../node_modules/.cache/node', import.meta.url),
    )
  }
  // Some tests act as another user, who must be able to read their files.
  process.umask(0o022)
}
