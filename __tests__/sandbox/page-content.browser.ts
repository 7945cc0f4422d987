import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { picture, post, postBlocks, section } from '../support/api-client.ts'
import { expectSoon, open, start } from '../support/page.ts'

const card = (page: Page, title: string) =>
  page.getByRole('group', { name: `File ${title}`, exact: true })
const preview = (page: Page, title: string) =>
  page.getByRole('group', { name: `Preview of ${title}`, exact: true })

test('Tables, images, text and source are shown, a note for what cannot be, and a link to save it', async () => {
  const sandbox = await start()
  const script = `<script>alert('ran')</script>`
  const rows = Array.from({ length: 120 }, (_, index) => `${index},"word ""${index}"", quoted"`)
  const files: readonly (readonly [
    name: string,
    content: string | Uint8Array<ArrayBuffer>,
    shown?: string,
  ])[] = [
    ['words.csv', `\ufeffnumber,word\r\n${rows.join('\r\n')}\r\n`],
    ['chart.png', picture],
    ['broken.png', 'no picture', 'The browser cannot show this image.'],
    ['log.txt', 'first\nsecond', 'first\nsecond'],
    ['page.html', script, script],
    ['drawing.svg', '<svg/>', '<svg/>'],
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
  const heads = (name: string) => preview(page, name).getByRole('columnheader').allTextContents()
  await expectSoon(() => heads('tabs.tsv'), ['a', 'b, c'])
  await card(page, 'chart.png').getByRole('img', { name: 'chart.png' }).waitFor()
  await expectSoon(() => page.evaluate<unknown>('document.querySelector("img").naturalWidth'), 1)

  await expectSoon(() => heads('words.csv'), ['number', 'word'])
  const body = preview(page, 'words.csv').locator('tbody tr')
  await expectSoon(() => body.count(), 4)
  await card(page, 'words.csv').getByText('4 of 120 rows').waitFor()
  for (const button of ['Show 50 more', 'Show 50 more', 'Show 16 more'])
    await page.getByRole('button', { name: button }).click()
  await card(page, 'words.csv').getByText('120 rows', { exact: true }).waitFor()
  expect(await body.last().getByRole('cell').allTextContents()).toEqual([
    '119',
    'word "119", quoted',
  ])
  expect(await page.getByRole('button').count()).toBe(0)

  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download page.html' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('page.html')
  expect(await readFile(await download.path(), 'utf8')).toBe(script)
})

const attack = `<img src="x" onerror="alert('ran')">`

test('Text from outside stays text: in names of files, comments, cells, names of conversations and of fields', async () => {
  const sandbox = await start()
  const { users, workspace } = sandbox
  const id = 'C0ATTACKED0'
  workspace.addConversation({ id, name: attack, kind: 'public', members: [users.app] })
  await post(sandbox, `${attack.replaceAll('"', "'")}.csv`, `${attack},b\n`, {
    channels: id,
    initial_comment: attack,
    title: `\u202e${attack}`,
    [attack.replaceAll('"', '')]: attack,
  })
  const { page } = await open(sandbox.origin)
  const markup = 'document.querySelectorAll("img, script:not([src]), [onerror]").length'
  await page.getByRole('columnheader', { name: attack }).waitFor()
  expect(await page.locator('article .text').textContent()).toBe(attack)
  expect(await page.locator('h3').textContent()).toBe(`\u202e${attack}`)
  expect(await page.locator('.names p').textContent()).toContain(attack.replaceAll('"', "'"))
  await page.getByRole('heading', { level: 2, name: `#${attack}` }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: attack }).waitFor()
  expect(await page.evaluate(markup)).toBe(0)
  await page.getByRole('link', { name: 'Requests' }).click()
  await page.locator('summary').click()
  const field = page.locator('dd', { hasText: /^<img src="x"/ })
  await field.first().waitFor()
  expect(await page.evaluate(markup)).toBe(0)
})

const link = (url: string, label = url) =>
  `<a href="${url}" target="_blank" rel="noreferrer">${label}</a>`
const mention = (text: string) => `<span class="mention">${text}</span>`

test('Messages show the markup of blocks, and nothing else as markup', async () => {
  const emoji = '<span role="img" aria-label="tada" title=":tada:">🎉</span>'
  const samples: readonly (readonly [text: string, html: string])[] = [
    ['*b _i ~s~_* `c *x*`', '<strong>b <em>i <s>s</s></em></strong> <code>c *x*</code>'],
    // Marks that format nothing.
    ...['a*b*c', 'snake_case_name', '2 * 3 *4 * 5', '*e*f'].map((text) => [text, text] as const),
    ['<https://a.example/?x=1&amp;y>', link('https://a.example/?x=1&amp;y')],
    ['<mailto:a@b.example|the *page*>', link('mailto:a@b.example', 'the *page*')],
    ['*<https://a.example/*x>*', `<strong>${link('https://a.example/*x')}</strong>`],
    [
      '<javascript:alert(1)|x> <data:text/html,x>',
      '&lt;javascript:alert(1)|x&gt; &lt;data:text/html,x&gt;',
    ],
    [
      '<@U0PERSON000> <#C0BUILDS000> <!here> <!subteam^S1|@team> <!subteam^S1> <@U9>',
      ['@person', '#builds', '@here', '@team', '@S1', '@U9'].map(mention).join(' '),
    ],
    [
      '&lt;!channel&gt; &amp;lt; *&lt;b&gt;* https://a.example',
      '&lt;!channel&gt; &amp;lt; <strong>&lt;b&gt;</strong> https://a.example',
    ],
    [':tada: :none: `:tada:`', `${emoji} :none: <code>:tada:</code>`],
    ['a\n```\n*x* &lt;b&gt;\n```\nend', 'a\n<pre><code>*x* &lt;b&gt;</code></pre>end'],
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
