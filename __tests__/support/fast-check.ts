// The same random values every time, so that a change is not blamed for what it did not do. TEST_SEED draws others, as the weekly run
// does. A failure prints the seed.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['TEST_SEED'] ?? 1) })

export default fc
