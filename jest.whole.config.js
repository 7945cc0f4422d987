// The tests that start the action, with a bundle of whole packages: `npm run test:whole`.
import base from './jest.config.js'

process.env.ACTION_BUNDLE = 'dist-whole/index.js'

export default { ...base, testMatch: ['<rootDir>/__tests__/action/**/*.test.ts'] }
