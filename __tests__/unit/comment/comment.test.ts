import { describe, expect, test } from '@jest/globals'
import {
  type Comment,
  type CommentOptions,
  commentProblems,
  renderComment,
} from '../../../src/comment/comment.ts'
import type { Link } from '../../../src/comment/source.ts'
import { quoted } from '../../../src/text/text.ts'
import fc, { anyString } from '../../support/fast-check.ts'
import { grid } from '../../support/grid.ts'
import { attacks, foundFile } from '../../support/report-runs.ts'

const runUrl = 'https://github.com/octo/app/actions/runs/42/attempts/1'
const branch: readonly Link[] = [{ label: 'octo/app@main', url: runUrl }]
const files = [foundFile('reports/coverage.csv', 12_000)]
const subject: Link = { label: 'Return Vec<T> | *now*', url: 'https://github.com/octo/app/pull/7' }

function options(template: string, more: Partial<CommentOptions> = {}): CommentOptions {
  return {
    template,
    files,
    source: branch,
    subject,
    format: 'mrkdwn',
    allowBroadcast: false,
    ...more,
  }
}

const rendered = (given: CommentOptions) => ({
  comment: renderComment(given),
  problems: commentProblems(given),
})

const named = (name: string) => ({ files: [{ name, size: 1 }] })

/** The comment's text, in any wrapping. */
function textOf(template: string, more: Partial<CommentOptions> = {}): string | undefined {
  return textIn(renderComment(options(template, more)))
}

function textIn(comment: Comment | undefined): string | undefined {
  if (comment?.blocks === undefined) return comment?.text
  const [block, ...others] = JSON.parse(comment.blocks)
  expect(others).toEqual([])
  return block.text.text
}

describe('on Slack, a comment', () => {
  // With `verbatim`, Slack parses only written markup.
  test.each([
    ['mrkdwn', '*done*', { type: 'mrkdwn', text: '*done*', verbatim: true }, '*done*'],
    [
      'plain',
      '*a* <!here>',
      { type: 'plain_text', text: '*a* <!here>', emoji: false },
      '*a* &lt;!here&gt;',
    ],
  ] as const)(
    'is one section block, with a text for notifications: %s',
    (format, typed, content, text) => {
      const comment = { blocks: JSON.stringify([{ type: 'section', text: content }]), text }
      expect(rendered(options(typed, { format }))).toEqual({ comment, problems: [] })
    },
  )

  test.each([
    ['mrkdwn', 'x'.repeat(60_000), '60,000'],
    ['plain', 'x\n'.repeat(30_000), '60,000'],
    ['mrkdwn', '&'.repeat(12_000), '60,000'],
    ['mrkdwn', `<https://x.example/${'a'.repeat(2_981)}>`, '3,001'],
    ['mrkdwn', `short\n<https://x.example/${'a'.repeat(2_981)}>`, '3,007'],
  ] as const)(
    'in %s is refused before anything is sent if it does not fit into 20 blocks: %#',
    (format, typed, count) => {
      expect(() => rendered(options(typed, { format }))).toThrow(
        `Filled in, escaped and cut between lines and links, the comment of ${count} characters does not fit into 20 blocks of 3,000.\nShorten \`comment\`, or send the long text as a file.`,
      )
    },
  )
})

describe('elsewhere, a comment', () => {
  test.each([
    [
      '& <@U1> <https://x.example|x> https://x.example [a](https://x.example) @reviewer me@here.example',
      false,
    ],
    ['🎉 **bold** @channels @all-hands <!channels>', false],
    ['x'.repeat(5_000), false],
    ['<!channel> <!here> <!everyone> <!Group> @channel @here @all @everyone @HERE', true],
  ])('goes exactly as typed: row %#', (typed, allowBroadcast) => {
    expect(rendered(options(typed, { format: 'typed', allowBroadcast }))).toEqual({
      comment: { text: typed },
      problems: [],
    })
  })

  test('has its placeholders filled in with text', () => {
    const source = [
      { label: 'octo/app v1.2', url: 'https://x.example/v1.2' },
      { label: 'run', url: runUrl },
    ]
    expect(textOf('{files} from {source}', { format: 'typed', source })).toBe(
      `coverage.csv, 12 KB from octo/app v1.2 (https://x.example/v1.2), run (${runUrl})`,
    )
  })
})

describe('elsewhere, a mention of everybody', () => {
  test('is sent as text, and a warning says so, and so on Slack', async () => {
    const typed = `
mrkdwn look <!channel>
mrkdwn look <!channel|channel>
mrkdwn look <!here|@here>
mrkdwn look <!Everyone>
mrkdwn look <!group>
typed look (<!channel>), ok
typed look (<!here>), ok
typed look (<!everyone), ok
typed look (<!Group>), ok
typed look (@channel), ok
typed look (@here), ok
typed look (@all), ok
typed look (@everyone), ok
typed look (@HERE), ok
`
    const shown = (line: string, allowBroadcast = false) => {
      const format = line.startsWith('mrkdwn ') ? 'mrkdwn' : 'typed'
      const given = options(line.replace(`${format} `, ''), { format, allowBroadcast })
      const { comment, problems } = rendered(given)
      const said = problems.map(({ level, text }) => `${level}: ${quoted(text).split(',')[0]}`)
      return [textIn(comment), ...said].join('⏎')
    }
    expect(await grid(typed, (line) => shown(line))).toMatchInlineSnapshot(`
"mrkdwn look <!channel>
    look &lt;!channel&gt;⏎warning: The comment contains \`<!channel>\`
mrkdwn look <!channel|channel>
    look &lt;!channel|channel&gt;⏎warning: The comment contains \`<!channel|channel>\`
mrkdwn look <!here|@here>
    look &lt;!here|@here&gt;⏎warning: The comment contains \`<!here|@here>\`
mrkdwn look <!Everyone>
    look &lt;!Everyone&gt;⏎warning: The comment contains \`<!Everyone>\`
mrkdwn look <!group>
    look &lt;!group&gt;⏎warning: The comment contains \`<!group>\`
typed look (<!channel>), ok
    look (<¦!channel>), ok⏎warning: The comment contains \`<!channel>\`
typed look (<!here>), ok
    look (<¦!here>), ok⏎warning: The comment contains \`<!here>\`
typed look (<!everyone), ok
    look (<¦!everyone), ok⏎warning: The comment contains \`<!everyone\`
typed look (<!Group>), ok
    look (<¦!Group>), ok⏎warning: The comment contains \`<!Group>\`
typed look (@channel), ok
    look (@¦channel), ok⏎warning: The comment contains \`@channel\`
typed look (@here), ok
    look (@¦here), ok⏎warning: The comment contains \`@here\`
typed look (@all), ok
    look (@¦all), ok⏎warning: The comment contains \`@all\`
typed look (@everyone), ok
    look (@¦everyone), ok⏎warning: The comment contains \`@everyone\`
typed look (@HERE), ok
    look (@¦HERE), ok⏎warning: The comment contains \`@HERE\`"
`)
    const [problem] = commentProblems(options('<!channel> <!here> <!channel>'))
    expect(`${problem?.title}: ${quoted(problem?.text ?? [])}`).toBe(
      'A mention of everybody is posted as plain text: The comment contains `<!channel>`, `<!here>`, which would notify everybody in the channel. It is posted as plain text.\nTo notify everybody, set `allow-broadcast: true`.',
    )
    expect(shown('mrkdwn <!channel> done', true)).toBe('<!channel> done')
  })

  test('and a link behind text are text in a name, also if they are allowed', async () => {
    const names = `
a <!channel> b
<@U0123456789> (@here)
[click](https://evil.example)
[click][1]
<https://evil.example|click>
logo@2x.png
a < b, me@here.example
`
    const more = { format: 'typed', allowBroadcast: true } as const
    const source = (label: string) => [{ label, url: 'https://x.example/@a](b)' }]
    expect(
      await grid(names, (name) =>
        textOf('{files} from {source}', { ...more, ...named(name), source: source(name) }),
      ),
    ).toMatchInlineSnapshot(`
"a <!channel> b
    a <¦!channel> b, 1 B from a <¦!channel> b (https://x.example/%40a%5D(b))
<@U0123456789> (@here)
    <¦@¦U0123456789> (@¦here), 1 B from <¦@¦U0123456789> (@¦here) (https://x.example/%40a%5D(b))
[click](https://evil.example)
    [click]¦(https://evil.example), 1 B from [click]¦(https://evil.example) (https://x.example/%40a%5D(b))
[click][1]
    [click]¦[1], 1 B from [click]¦[1] (https://x.example/%40a%5D(b))
<https://evil.example|click>
    <¦https://evil.example|click>, 1 B from <¦https://evil.example|click> (https://x.example/%40a%5D(b))
logo@2x.png
    logo@2x.png, 1 B from logo@2x.png (https://x.example/%40a%5D(b))
a < b, me@here.example
    a < b, me@here.example, 1 B from a < b, me@here.example (https://x.example/%40a%5D(b))"
`)
    const parts =
      '@{files} here\n<!{files} channel>\n[click]{files} (https://evil.example)\n@{source}\n@{subject}'
    expect(
      await grid(parts, (line) => {
        const [template = '', name = ''] = line.split(' ')
        return textOf(template, { ...more, ...named(name) })
      }),
    ).toMatchInlineSnapshot(`
"@{files} here
    @¦here, 1 B
<!{files} channel>
    <!¦channel>, 1 B
[click]{files} (https://evil.example)
    [click]¦(https://evil.example), 1 B
@{source}
    @¦octo/app@main (https://github.com/octo/app/actions/runs/42/attempts/1)
@{subject}
    @¦Return Vec<¦T> | *now* (https://github.com/octo/app/pull/7)"
`)
  })
})

test('a mention that notifies nobody gets a notice in mrkdwn only', () => {
  const titles = (format: CommentOptions['format']) =>
    commentProblems(options('@here', { format })).map(({ title }) => title)
  expect(titles('mrkdwn')).toEqual(['A mention notifies nobody'])
  expect(titles('plain')).toEqual([])
})

test('placeholders are filled in once, also in the label of a link', async () => {
  const templates = `
{files}{files}, *{files}*
see <https://x.example/?a&b|all {files}>!
<https://x.example|{source}> {source}
<https://x.example|{files}
{subject}
<https://x.example|{subject}>
`
  const filled = (format: CommentOptions['format']) =>
    grid(templates, (template) => textOf(template, { format, ...named('a|b <c> {source}') }))
  const shown = await Promise.all((['mrkdwn', 'plain', 'typed'] as const).map(filled))
  expect(shown.join('\n')).toMatchInlineSnapshot(`
"{files}{files}, *{files}*
    a|b &lt;c&gt; {source}, 1 Ba|b &lt;c&gt; {source}, 1 B, *a|b &lt;c&gt; {source}, 1 B*
see <https://x.example/?a&b|all {files}>!
    see <https://x.example/?a&b|all a∣b &lt;c&gt; {source}, 1 B>!
<https://x.example|{source}> {source}
    <https://x.example|octo/app@main> <https://github.com/octo/app/actions/runs/42/attempts/1|octo/app@main>
<https://x.example|{files}
    &lt;<https://x.example>|a|b &lt;c&gt; {source}, 1 B
{subject}
    <https://github.com/octo/app/pull/7|Return Vec&lt;T&gt; ∣ ∗now∗>
<https://x.example|{subject}>
    <https://x.example|Return Vec&lt;T&gt; ∣ ∗now∗>
{files}{files}, *{files}*
    a|b <c> {source}, 1 Ba|b <c> {source}, 1 B, *a|b <c> {source}, 1 B*
see <https://x.example/?a&b|all {files}>!
    see <https://x.example/?a&b|all a|b <c> {source}, 1 B>!
<https://x.example|{source}> {source}
    <https://x.example|octo/app@main (https://github.com/octo/app/actions/runs/42/attempts/1)> octo/app@main (https://github.com/octo/app/actions/runs/42/attempts/1)
<https://x.example|{files}
    <https://x.example|a|b <c> {source}, 1 B
{subject}
    Return Vec<T> | *now* (https://github.com/octo/app/pull/7)
<https://x.example|{subject}>
    <https://x.example|Return Vec<T> | *now* (https://github.com/octo/app/pull/7)>
{files}{files}, *{files}*
    a|b <¦c> {source}, 1 Ba|b <¦c> {source}, 1 B, *a|b <¦c> {source}, 1 B*
see <https://x.example/?a&b|all {files}>!
    see <https://x.example/?a&b|all a|b <¦c> {source}, 1 B>!
<https://x.example|{source}> {source}
    <https://x.example|octo/app@main (https://github.com/octo/app/actions/runs/42/attempts/1)> octo/app@main (https://github.com/octo/app/actions/runs/42/attempts/1)
<https://x.example|{files}
    <https://x.example|a|b <¦c> {source}, 1 B
{subject}
    Return Vec<¦T> | *now* (https://github.com/octo/app/pull/7)
<https://x.example|{subject}>
    <https://x.example|Return Vec<¦T> | *now* (https://github.com/octo/app/pull/7)>"
`)
  const sizes = Object.entries({ 'a.csv': 1_000_000, 'b.csv': 200_000, 'c.csv': 0 })
  expect(textOf('{files}', { files: sizes.map(([name, size]) => ({ name, size })) })).toBe(
    '3 files, 1.2 MB',
  )
})

test('{source} links nothing but web addresses, and nothing can end a link early', async () => {
  const urls = `
javascript:alert(1)
https://[
see:https://x.example
http://x.example/a
https://x.example/a|b> c&d
`
  const source = (url: string) => [{ label: 'v1|2', url }, { label: 'b' }]
  expect(
    await grid(urls, (url) => textOf('{source}', { source: source(url) })),
  ).toMatchInlineSnapshot(`
"javascript:alert(1)
    v1|2, b
https://[
    v1|2, b
see:https://x.example
    v1|2, b
http://x.example/a
    <http://x.example/a|v1∣2>, b
https://x.example/a|b> c&d
    <https://x.example/a%7Cb%3E%20c&amp;d|v1∣2>, b"
`)
})

describe('text from outside', () => {
  const anyText = fc.oneof(
    fc.constantFrom(...attacks),
    anyString({ minLength: 1 }),
    fc.string({ unit: fc.constantFrom(...'*_~`<>&!|@: \na'), minLength: 1 }),
  )

  test('can neither mention, link, format nor become an emoji in mrkdwn', () => {
    fc.assert(
      fc.property(anyText, anyText, (tag, name) => {
        const sent = textOf('{files} from {source}', {
          ...named(name),
          source: [{ label: `octo/app@${tag}`, url: runUrl }],
        })
        const label =
          /^(?<files>[^<>\n]*), 1 B from <https:\/\/github\.com\/octo\/app\/actions\/runs\/42\/attempts\/1\|octo\/app@(?<tag>[^<>\n]*)>$/su.exec(
            sent ?? '',
          )?.groups
        expect(label).toBeDefined()
        for (const text of Object.values(label ?? {})) {
          // Marks format only at the edges of words.
          expect(text).not.toMatch(/(?<![\p{L}\p{N}])[*_~`]|[*_~`](?![\p{L}\p{N}])/u)
          expect(text).not.toMatch(/:[^\s:∶]{1,100}:/)
          expect(text.replace(/&(?:amp|lt|gt);/g, '')).not.toContain('&')
        }
        // A quotation needs the start of a line.
        expect(sent).not.toMatch(/^\s*&gt;/)
      }),
    )
  })

  test.each(['plain', 'typed'] as const)(
    'stays on its line where it is not markup: %s',
    (format) => {
      expect(textOf('{source}', { format, source: [{ label: 'a\nb\u202ec' }] })).toBe('a b c')
    },
  )

  test('cannot complete what is typed around it to a broadcast', () => {
    expect(textOf('<!{files}>', named('channel>'))).not.toContain('<')
  })
})
