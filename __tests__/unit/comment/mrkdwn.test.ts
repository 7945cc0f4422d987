import { expect, test } from '@jest/globals'
import { typedToMrkdwn } from '../../../src/comment/mrkdwn.ts'
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
`
  expect(await grid(typed, (line) => typedToMrkdwn(line, false))).toMatchInlineSnapshot(`
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
<https://x.example>"
`)
})
