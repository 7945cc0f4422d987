// Fixed seed, so that no change is blamed for another's fault. TEST_SEED draws other values, as the
// weekly run does. A failure prints the seed.
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
 * Like `unit: 'binary'`, without its table of all Unicode, which takes each test file half a
 * second.
 */
export const anyString = (limits: fc.StringConstraints = {}) =>
  fc.string({ ...limits, unit: anyCharacter })

export default fc
