import { expect, test } from '@jest/globals'
import { broadcastsIn, linkLabel, typedToMrkdwn } from '../../../src/comment/mrkdwn.ts'
import { grid } from '../../support/grid.ts'

test('mrkdwn is what Slack reads as typed, and escapes what begins nothing; a bare URL links', async () => {
  const typed = `
see <https://x.example/?a=1|the page>
ask <@U0123456789>
ask <!subteam^S0123456789>
in <#C0123456789>
*a* _b_ ~c~ \`d\` \`\`\`e⏎f\`\`\`
a &amp; b &lt;c&gt;
R&D
1 < 2, <3
\`a &amp; <b>\`
\`\`\`⏎<!here> && x⏎\`\`\`
see https://x.example/a?b=1&c=2.
(https://x.example)
*https://x.example*
see https://x.example/a)?!
see https://x.example/a_(b).!
\`curl https://x.example\`
<https://x.example>
\`a &lt; &gt; & b\`
<!channel> <!Here|x> <!everyone> <!group> <!grouping>
a \`b & c
(https://x.example/\`d\`
`
  const shown = (line: string) => {
    const texts = [true, false].map((allowBroadcast) => typedToMrkdwn(line, allowBroadcast))
    return [...new Set(texts), ...broadcastsIn(line)].join('⏎')
  }
  expect(await grid(typed, shown)).toMatchInlineSnapshot(`
"see <https://x.example/?a=1|the page>
ask <@U0123456789>
ask <!subteam^S0123456789>
in <#C0123456789>
*a* _b_ ~c~ \`d\` \`\`\`e⏎f\`\`\`
a &amp; b &lt;c&gt;
R&D
    R&amp;D
1 < 2, <3
    1 &lt; 2, &lt;3
\`a &amp; <b>\`
    \`a &amp; &lt;b&gt;\`
\`\`\`⏎<!here> && x⏎\`\`\`
    \`\`\`⏎&lt;!here&gt; &amp;&amp; x⏎\`\`\`
see https://x.example/a?b=1&c=2.
    see <https://x.example/a?b=1&amp;c=2>.
(https://x.example)
    (<https://x.example>)
*https://x.example*
    *<https://x.example>*
see https://x.example/a)?!
    see <https://x.example/a>)?!
see https://x.example/a_(b).!
    see <https://x.example/a_(b)>.!
\`curl https://x.example\`
<https://x.example>
\`a &lt; &gt; & b\`
    \`a &lt; &gt; &amp; b\`
<!channel> <!Here|x> <!everyone> <!group> <!grouping>
    <!channel> <!Here|x> <!everyone> <!group> <!grouping>⏎&lt;!channel&gt; &lt;!Here|x&gt; &lt;!everyone&gt; &lt;!group&gt; <!grouping>⏎<!channel>⏎<!Here|x>⏎<!everyone>⏎<!group>
a \`b & c
    a \`b &amp; c
(https://x.example/\`d\`
    (<https://x.example/>\`d\`"
`)
})

test('Text from outside shows as it is, with look-alikes for what would format or be an emoji', async () => {
  const names = `
>a.csv
a|b*
__init__.py
test_results.csv
*a* \`b\` ~c~
:wave::skin-tone-2:
12:30 a: b: ::
`
  expect(await grid(names, linkLabel)).toMatchInlineSnapshot(`
">a.csv
    ›a.csv
a|b*
    a∣b∗
__init__.py
    ˍˍinitˍˍ.py
test_results.csv
*a* \`b\` ~c~
    ∗a∗ ˋbˋ ∼c∼
:wave::skin-tone-2:
    ∶wave:∶skin-tone-2:
12:30 a: b: ::"
`)
})
