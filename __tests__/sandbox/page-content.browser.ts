import { readFile } from 'node:fs/promises'
import { describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { picture, post, postBlocks, section } from '../support/api-client.ts'
import { expectSoon, open, start } from '../support/page.ts'

const card = (page: Page, title: string) =>
  page.getByRole('group', { name: `File ${title}`, exact: true })
const preview = (page: Page, title: string) =>
  page.getByRole('group', { name: `Preview of ${title}`, exact: true })

describe('Previews', () => {
  test('show a CSV as a table: the first 4 rows, and more on request', async () => {
    const sandbox = await start()
    const rows = Array.from({ length: 120 }, (_, index) => `${index},"word ""${index}"", quoted"`)
    await post(sandbox, 'words.csv', `\ufeffnumber,word\r\n${rows.join('\r\n')}\r\n`)
    const { page } = await open(sandbox.origin)
    const table = preview(page, 'words.csv')
    await expectSoon(() => table.getByRole('columnheader').allTextContents(), ['number', 'word'])
    await table.getByRole('cell', { name: 'word "3", quoted' }).waitFor()
    const body = table.locator('tbody tr')
    await expectSoon(() => body.count(), 4)
    await card(page, 'words.csv').getByText('4 of 120 rows').waitFor()
    for (const button of ['Show 50 more', 'Show 50 more', 'Show 16 more'])
      await page.getByRole('button', { name: button }).click()
    await expectSoon(() => body.count(), 120)
    await expectSoon(
      () => body.last().getByRole('cell').allTextContents(),
      ['119', 'word "119", quoted'],
    )
    expect(await page.getByRole('button').count()).toBe(0)
    await card(page, 'words.csv').getByText('120 rows', { exact: true }).waitFor()
  })

  test('show images, text, source and tables, a note for what they cannot show, and a link to save it', async () => {
    const sandbox = await start()
    const script = `<script>alert('ran')</script>`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert('ran')"/>`
    const files: readonly (readonly [
      name: string,
      content: string | Uint8Array<ArrayBuffer>,
      shown?: string,
    ])[] = [
      ['chart.png', picture],
      ['broken.png', 'no picture', 'The browser cannot show this image.'],
      ['log.txt', 'first\nsecond', 'first\nsecond'],
      ['page.html', script, script],
      ['drawing.svg', svg, svg],
      ['data.bin', new Uint8Array([1, 0, 2]), 'No preview for this kind of file.'],
      ['empty.csv', '', 'Empty.'],
      ['tabs.tsv', 'a\tb, c\n1\t2'],
    ]
    for (const [name, content] of files) await post(sandbox, name, content)
    const { page } = await open(sandbox.origin)
    for (const [name, , text] of files) {
      const shown = card(page, name).locator('.preview > .plain, .preview > .note:only-child')
      if (text !== undefined) await expectSoon(() => shown.allTextContents(), [text])
    }
    await expectSoon(
      () => preview(page, 'tabs.tsv').getByRole('columnheader').allTextContents(),
      ['a', 'b, c'],
    )
    await card(page, 'chart.png').getByRole('img', { name: 'chart.png' }).waitFor()
    await expectSoon(() => page.evaluate<unknown>('document.querySelector("img").naturalWidth'), 1)

    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download page.html' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('page.html')
    expect(await readFile(await download.path(), 'utf8')).toBe(script)
  })
})

const markup = 'document.querySelectorAll("img, script:not([src]), [onerror]").length'
const attack = `<img src="x" onerror="alert('ran')">`

describe('Text from outside', () => {
  test('stays text: in names of files, comments, cells, names of conversations and of fields', async () => {
    const sandbox = await start()
    const { channels, users, workspace } = sandbox
    workspace.addConversation({
      id: 'C0ATTACKED0',
      name: attack,
      kind: 'public',
      members: [users.app],
    })
    const everywhere = `${channels.general},C0ATTACKED0`
    const csv = `${attack},b\n"=HYPERLINK(""https://evil.example"",""x"")","<script>alert('ran')</script>"\n`
    await post(sandbox, `${attack.replaceAll('"', "'")}.csv`, csv, {
      channels: everywhere,
      initial_comment: `${attack}<script>alert('ran')</script>`,
      title: `\u202e${attack}`,
      [attack.replaceAll('"', '')]: attack,
    })
    const { page } = await open(sandbox.origin)
    await page
      .getByRole('cell', { name: '=HYPERLINK("https://evil.example","x")', exact: true })
      .waitFor()
    expect(await page.locator('article .text').textContent()).toBe(
      `${attack}<script>alert('ran')</script>`,
    )
    expect(await page.locator('h3').textContent()).toBe(`\u202e${attack}`)
    expect(await page.locator('.names p').textContent()).toContain(
      `<img src='x' onerror='alert('ran')'>.csv`,
    )
    await expectSoon(
      () => page.getByRole('cell', { name: "<script>alert('ran')</script>" }).count(),
      1,
    )

    expect(await page.evaluate(markup)).toBe(0)

    await page.getByRole('navigation').getByRole('link', { name: attack }).click()
    await expectSoon(() => page.getByRole('heading', { level: 2, name: `#${attack}` }).count(), 1)
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.locator('summary').click()
    await page
      .locator('dd', { hasText: /^<img src="x"/ })
      .first()
      .waitFor()
    expect(await page.evaluate(markup)).toBe(0)
  })

  test('could not run, or load anything, if it were markup: the policy stops it', async () => {
    const sandbox = await start()
    const { errors, page } = await open(sandbox.origin)
    await page.getByText('Live').waitFor()
    const outcome = await page.evaluate(`
      (async () => {
        const violated = []
        addEventListener('securitypolicyviolation', (event) => violated.push(event.effectiveDirective))
        const image = document.createElement('img')
        const attempts = [
          () => { document.body.innerHTML = '<b>bold</b>' },
          () => image.setAttribute('onerror', 'window.ran = true'),
          () => { document.createElement('script').text = 'window.ran = true' },
        ]
        const done = attempts.map((attempt) => {
          try { attempt(); return true } catch { return false }
        })
        const style = document.createElement('style')
        style.append('body { display: none }')
        document.body.append(style)
        image.src = 'https://elsewhere.example/x.png'
        await fetch('https://elsewhere.example/').catch(() => {})
        await new Promise((resolve) => setTimeout(resolve))
        return { done, violated: [...new Set(violated)].toSorted() }
      })()`)
    const violated = ['connect-src', 'img-src', 'require-trusted-types-for', 'style-src-elem']
    expect(outcome).toEqual({ done: [false, false, false], violated })
    // The browser reports each of them, as it should.
    errors.splice(0)
  })
})

describe('Messages', () => {
  const link = (url: string, label = url) =>
    `<a href="${url}" target="_blank" rel="noreferrer">${label}</a>`
  const emoji = (name: string, shown: string) =>
    `<span role="img" aria-label="${name}" title=":${name}:">${shown}</span>`
  const mention = (text: string) => `<span class="mention">${text}</span>`

  test('show the markup of blocks, and nothing else as markup', async () => {
    const samples: readonly (readonly [text: string, html: string])[] = [
      ['*b* _i_ ~s~ `c *x*`', '<strong>b</strong> <em>i</em> <s>s</s> <code>c *x*</code>'],
      ['*b _i ~s~_*', '<strong>b <em>i <s>s</s></em></strong>'],
      // Marks that start or end nothing.
      ...['a*b*c', 'snake_case_name', '2 * 3 *4 * 5', '*e*f'].map((text) => [text, text] as const),
      ['<https://a.example/?x=1&amp;y>', link('https://a.example/?x=1&amp;y')],
      ['<https://a.example|the *page*>', link('https://a.example/', 'the *page*')],
      ['<mailto:a@b.example|Mail>', link('mailto:a@b.example', 'Mail')],
      ['*<https://a.example/*x>*', `<strong>${link('https://a.example/*x')}</strong>`],
      [
        '<javascript:alert(1)|x> <data:text/html,x>',
        '&lt;javascript:alert(1)|x&gt; &lt;data:text/html,x&gt;',
      ],
      ['<@U0PERSON000> <#C0BUILDS000>', `${mention('@person')} ${mention('#builds')}`],
      [
        '<!here> <!subteam^S1|@team> <!subteam^S1> <@U9>',
        ['@here', '@team', '@S1', '@U9'].map(mention).join(' '),
      ],
      [
        '&lt;!channel&gt; &amp;lt; *&lt;b&gt;*',
        '&lt;!channel&gt; &amp;lt; <strong>&lt;b&gt;</strong>',
      ],
      ['https://a.example', 'https://a.example'],
      [':tada: :none: `:tada:`', `${emoji('tada', '🎉')} :none: <code>:tada:</code>`],
      [
        'see\n```\n*x* <https://a.example>\n&lt;b&gt;\n```\nend',
        'see\n<pre><code>*x* &lt;https://a.example&gt;\n&lt;b&gt;</code></pre>end',
      ],
      ['&gt; one *b*\n> two\nend', '<blockquote>one <strong>b</strong>\ntwo</blockquote>end'],
    ]
    const sandbox = await start()
    for (const [text] of samples)
      await postBlocks(sandbox, [section('mrkdwn', text, { verbatim: true })])
    const { page } = await open(sandbox.origin)
    const texts = page.locator('article .text')
    await texts.last().waitFor()
    const shown = await texts.evaluateAll((nodes) => nodes.map((node) => node.innerHTML))
    expect(samples.map(([text], index) => [text, shown[index]])).toEqual(samples)
  })
})
