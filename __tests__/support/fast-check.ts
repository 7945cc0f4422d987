// The same random values every time, so that a change is not blamed for what it did not do. TEST_SEED draws others, as the weekly run
// does. A failure prints the seed.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['TEST_SEED'] ?? 1) })

/**
 * Any character. The same values as those of `fc.string({ unit: 'binary' })`, which first makes a table of all million characters of
 * Unicode: half a second in each file of tests.
 */
export const anyCharacter = fc.nat(0x10ffff - 0x800).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800),
  (character) => {
    const code = String(character).codePointAt(0) ?? 0
    if (character !== String.fromCodePoint(code)) throw new Error('It is not one character.')
    return code < 0xd800 ? code : code - 0x800
  },
)

export default fc
