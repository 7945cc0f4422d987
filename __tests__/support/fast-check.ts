// The same random values every time, so that a change is not blamed for what it did not do.
// TEST_SEED draws others, as the weekly run does. A failure prints the seed.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['TEST_SEED'] ?? 1) })

const anyCharacter = fc.nat(0x10ffff - 0x800).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800),
  (character) => {
    const code = String(character).codePointAt(0) ?? 0
    if (character !== String.fromCodePoint(code)) throw new Error('It is not one character.')
    return code < 0xd800 ? code : code - 0x800
  },
)

/**
 * As with `unit: 'binary'`, which makes a table of all characters of Unicode first: half a second
 * in each file of tests.
 */
export const anyString = (limits: fc.StringConstraints = {}) =>
  fc.string({ ...limits, unit: anyCharacter })

export default fc
