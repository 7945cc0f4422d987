// What needs no bundle: `npm run test:fast`.
import base from './jest.config.js'

// A test that starts the action all the same fails. If it is to do that, it belongs below.
process.env.ACTION_BUNDLE = 'no-bundle/index.js'

const startTheAction = [
  'action/',
  'repository/(bench|bundle|examples|first-commands|live|outputs-page)\\.test\\.ts',
  'sandbox/demo\\.test\\.ts',
]

export default { ...base, testPathIgnorePatterns: startTheAction.map((path) => `<rootDir>/__tests__/${path}`) }
