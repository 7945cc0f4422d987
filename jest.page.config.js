// What needs a browser, apart from `npm test`, which needs none.
import base from './jest.config.js'

export default { ...base, testMatch: ['<rootDir>/__tests__/**/*.browser.ts'], testTimeout: 60_000 }
