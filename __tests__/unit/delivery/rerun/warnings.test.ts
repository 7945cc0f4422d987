import { describe, expect, test } from '@jest/globals'
import { duplicateWarnings, noLookupWarnings } from '../../../../src/delivery/rerun/warnings.ts'
import { quoted, text } from '../../../../src/text/text.ts'
import { foundFile } from '../../../support/scripted-service.ts'

const [a, b, c] = ['a.csv', 'b.csv', 'c.csv'].map((name) => foundFile(name)) as [never, never, never]
const [one, two] = ['C1', 'C2'].map((id) => ({ id, requested: `#${id}` })) as [never, never]
const posting = (channel: never, ts = '1.5') => ({ channel, state: 'posted', ts }) as const

describe('A warning', () => {
  const notSent = { channel: one, state: 'not-sent' } as const
  const posted = [
    { files: [{ file: a }, { file: b }], postings: [posting(one), posting(two)] },
    { files: [{ file: c }], postings: [notSent, posting(two)] },
    { files: [{ file: c }], postings: [notSent] },
  ]
  const where = '`out/a.csv`, `out/b.csv` in `#C1`, `#C2`; `out/c.csv` in `#C2`'
  const show = (...args: Parameters<typeof duplicateWarnings>) =>
    duplicateWarnings(...args).map((one) => {
      expect([one.level, one.page]).toEqual(['warning', 'rerun'])
      return [one.title, quoted(one.text)]
    })

  test('names what may be there twice', () => {
    expect(show({}, posted)).toEqual([
      [
        'Posted, because no earlier upload was found',
        `No upload of an earlier attempt was found, so this attempt posted: ${where}.\nThat is right if no earlier attempt posted there. If one did, the content or the \`rerun-key\` has changed: reports that contain times differ in each attempt, so make them in another job, and pass them on as an artifact; a key with \`github.run_attempt\` differs too. Or the list of the service is late: check the channels, because what was posted shortly before this attempt may be there twice.`,
      ],
    ])
    expect(show({}, [])).toEqual([])
  })

  test('says why the lookup was not complete', () => {
    const title = 'What an earlier attempt posted could not be looked up completely'
    const end = 'If an earlier attempt posted it, it is there twice: check the channels.'
    expect(show({ incomplete: text`why` }, posted)).toEqual([
      [title, `why.\nPosted, because it could not be looked up: ${where}. ${end}`],
    ])
    expect(show({ incomplete: text`why` }, [])).toEqual([
      [title, 'why.\nIt may have posted more than was found. Check the channels.'],
    ])
  })

  test('names at most ten files', () => {
    const files = Array.from({ length: 12 }, () => ({ file: a }))
    expect(show({}, [{ files, postings: [posting(one)] }])[0]?.[1]).toContain('`out/a.csv` and 2 more in `#C1`')
  })

  test('of the first attempt says that there will be no lookup', () => {
    expect(noLookupWarnings(undefined)).toEqual([])
    expect(noLookupWarnings(text`why`).map((one) => [one.title, quoted(one.text)])).toEqual([
      ['A re-run will post everything again', '`on-rerun: missing` has no effect: why.'],
    ])
  })
})
