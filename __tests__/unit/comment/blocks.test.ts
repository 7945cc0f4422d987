import { expect, test } from '@jest/globals'
import { blockTexts } from '../../../src/comment/blocks.ts'
import fc from '../../support/fast-check.ts'
import { grid } from '../../support/grid.ts'

test('A comment of more than 3,000 characters is cut at line ends; in a row, 9a is nine times a', async () => {
  const shown = (row: string, isPlain: boolean) => {
    const typed = row.replace(/(\d+)([a-z]|<.*?>|🎉)/gu, (_, times, what) => what.repeat(times))
    return blockTexts(typed, isPlain)
      .map((block) =>
        block.replace(/(.+?)\1{9,}/gsu, (run, one) => `${run.length / one.length}${one}`),
      )
      .join(' | ')
  }
  const rows = `
3000x
1499a⏎1500b⏎
1499a⏎1501b⏎⏎
1499a⏎⏎⏎  1499b⏎1499c⏎⏎
150<https://x.example|run>
2986a&amp;b40c
2988a🎉🎉40c
\`\`\`⏎1499a⏎1499b⏎\`\`\`⏎z
\`\`\`y⏎2950a⏎\`\`\`⏎1499b
2950a⏎\`\`\`⏎99b⏎\`\`\`
\`\`\`⏎3500a⏎\`\`\`⏎z
y⏎>>>1499a⏎1499b⏎1499c
\`\`\`⏎2984a⏎\`\`\`⏎99z
y⏎2988a⏎99z
`
  const both = async (row: string) => `${shown(row, false)}⏎    ${shown(row, true)}`
  expect(await grid(rows, both)).toMatchInlineSnapshot(`
"3000x
    3000x⏎    3000x
1499a⏎1500b⏎
    1499a | 1500b⏎    1499a | 1500b
1499a⏎1501b⏎⏎
    1499a | 1501b⏎    1499a | 1501b
1499a⏎⏎⏎  1499b⏎1499c⏎⏎
    1499a |   1499b | 1499c⏎    1499a |   1499b | 1499c
150<https://x.example|run>
    129<https://x.example|run> | 21<https://x.example|run>⏎    129<https://x.example|run> | 21<https://x.example|run>
2986a&amp;b40c
    2986a | &amp;b40c⏎    2986a | &amp;b40c
2988a🎉🎉40c
    2988a | 🎉🎉40c⏎    2988a | 🎉🎉40c
\`\`\`⏎1499a⏎1499b⏎\`\`\`⏎z
    \`\`\`⏎1499a⏎\`\`\` | \`\`\`⏎1499b⏎\`\`\`⏎z⏎    \`\`\`⏎1499a | 1499b⏎\`\`\`⏎z
\`\`\`y⏎2950a⏎\`\`\`⏎1499b
    \`\`\`y⏎2950a⏎\`\`\` | 1499b⏎    \`\`\`y⏎2950a⏎\`\`\` | 1499b
2950a⏎\`\`\`⏎99b⏎\`\`\`
    2950a | \`\`\`⏎99b⏎\`\`\`⏎    2950a⏎\`\`\` | 99b⏎\`\`\`
\`\`\`⏎3500a⏎\`\`\`⏎z
    \`\`\`⏎2985a⏎\`\`\` | \`\`\`⏎515a⏎\`\`\`⏎z⏎    \`\`\`⏎2985a | 515a⏎\`\`\`⏎z
y⏎>>>1499a⏎1499b⏎1499c
    y⏎>>>1499a | >>>1499b | >>>1499c⏎    y⏎>>>1499a | 1499b | 1499c
\`\`\`⏎2984a⏎\`\`\`⏎99z
    \`\`\`⏎2984a⏎\`\`\` | 99z⏎    \`\`\`⏎2984a⏎\`\`\` | 99z
y⏎2988a⏎99z
    y | 2988a | 99z⏎    y | 2988a | 99z"
`)
})

test('Any text is cut into blocks that hold all of it, none blank, with whole links and fences', () => {
  const link = '<https://x.example/?a=1|the run>'
  const word = fc.constantFrom('word', link, '<@U0123456789>', '&amp;', '🎉', '  ', '\n', '\n\n')
  const code = fc.nat(400).map((length) => `\`\`\`${'c'.repeat(length)}\nd\n\`\`\``)
  const long = fc.array(fc.oneof({ weight: 9, arbitrary: word }, code), {
    minLength: 300,
    maxLength: 900,
    size: 'max',
  })
  fc.assert(
    fc.property(long, (words) => {
      const whole = words.join(' ')
      const content = blockTexts(whole, false)
      for (const block of content) {
        expect(block.length).toBeLessThanOrEqual(3_000)
        expect(block.split('```').length % 2).toBe(1)
        expect(block).toMatch(/[^\s`]/)
      }
      const bare = (text: string) => text.replace(/[\s`]/g, '')
      expect(bare(content.join(''))).toBe(bare(whole))
    }),
  )
})
