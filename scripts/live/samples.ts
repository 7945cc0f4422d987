// Files of the kinds that a service may change, or describe at length.

/** A segment of a JPEG: its length counts itself. */
function segment(marker: number, ...bytes: readonly number[]): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(bytes.length + 2, 2)
  return Buffer.concat([head, Buffer.from(bytes)])
}

/** 8 × 8 gray pixels, with a description of 2,000 characters as EXIF data. */
export function photo(): Buffer {
  const description = Array<number>(2_000).fill('x'.charCodeAt(0))
  // TIFF, little-endian, with one field: ImageDescription (0x010e), text (2), at byte 26.
  const fields = Buffer.alloc(26)
  fields.write('II*\0', 'latin1')
  for (const [offset, value] of [
    [4, 8],
    [8, 1],
    [10, 0x010e],
    [12, 2],
    [18, 26],
  ] as const) {
    fields.writeUInt16LE(value, offset)
  }
  fields.writeUInt32LE(description.length, 14)
  const oneCode = [1, ...Array<number>(15).fill(0), 0]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, ...Buffer.from('Exif\0\0', 'latin1'), ...fields, ...description),
    segment(0xdb, 0, ...Array<number>(64).fill(1)),
    segment(0xc0, 8, 0, 8, 0, 8, 1, 1, 0x11, 0),
    segment(0xc4, 0x00, ...oneCode),
    segment(0xc4, 0x10, ...oneCode),
    segment(0xda, 1, 1, 0, 0, 0x3f, 0),
    Buffer.from([0x3f, 0xff, 0xd9]),
  ])
}

/** One pixel. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg==',
  'base64',
)

/** The same two lines, by what a service may change in them. */
export const texts = {
  LF: Buffer.from('suite,tests\nÜbersicht,14\n'),
  CRLF: Buffer.from('suite,tests\r\nÜbersicht,14\r\n'),
  'UTF-8 with BOM': Buffer.from('\uFEFFsuite,tests\nÜbersicht,14\n'),
  'UTF-16': Buffer.from('\uFEFFsuite,tests\nÜbersicht,14\n', 'utf16le'),
}

/** Texts of about `bytes` each, by the extension of their name. */
export function longTexts(bytes: number): Readonly<Record<string, Buffer>> {
  const lines = {
    json: '{"suite":"checkout","tests":14},\n',
    xml: '<test suite="checkout" count="14"/>\n',
  }
  const repeated = (line: string) => line.repeat(Math.floor(bytes / line.length))
  return {
    json: Buffer.from(`[\n${repeated(lines.json)}{}]\n`),
    xml: Buffer.from(`<tests>\n${repeated(lines.xml)}</tests>\n`),
    log: Buffer.from(repeated('2026-11-23 12:00:00 INFO checkout: 14 tests passed\n')),
  }
}
