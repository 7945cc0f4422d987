/** What the page shows: a conversation as its members see it, or every request. */
import { closeSync, openSync, readSync } from 'node:fs'
import papaparse from 'papaparse'
import { mimetype } from '../file-record.ts'
import { count, size } from '../format.ts'
import type { RecordedRequest } from '../requests.ts'
import type { Conversation, File, Message, Workspace } from '../workspace.ts'
import { blockView } from './blocks.ts'
import { type Content, type Html, html } from './html.ts'
import { mrkdwn } from './mrkdwn.ts'

export interface View {
  readonly title: string
  /** Of the link to it. */
  readonly href: string
  /** The event after which it is out of date. */
  readonly shows: 'message' | 'request'
  readonly content: Content
}

/** Bytes of a file in its preview. */
const maxShown = 20_000
const maxRows = 50
const maxRequests = 500
/** Characters. */
const maxValue = 2000
/** Without those that can hold scripts. */
export const images: readonly string[] = ['image/gif', 'image/jpeg', 'image/png', 'image/webp']

const tokens = { none: 'No token', right: 'Token sent', wrong: 'Invalid token sent' } as const

const kinds = {
  public: 'Public channel',
  private: 'Private channel',
  direct: 'Direct conversation',
  group: 'Group conversation',
} as const

const titleOf = ({ kind, name }: Conversation) => (kind === 'public' ? `#${name}` : name)

export const hrefOf = (channel: string) => `/archives/${encodeURIComponent(channel)}`
const appOf = ({ settings }: Workspace) =>
  [...settings.tokens.values()].find(({ bot }) => bot !== undefined)?.user

/** @param version of what it shows */
export function wholePage(view: View, workspace: Workspace, version: string): string {
  const { content, shows, title } = view
  const link = (href: string, text: string, messages = 0) =>
    html`<a href="${href}" ${href === view.href && html`aria-current="page"`}><bdi>${text}</bdi> <span class="count">${messages > 0 && messages}</span></a>`
  const items = (direct: boolean) =>
    workspace.conversations
      .filter(({ kind }) => (kind === 'direct' || kind === 'group') === direct)
      .map((conversation) => {
        const { id } = conversation
        const posted = workspace.messages.filter(({ channel }) => channel === id)
        return html`<li>${link(hrefOf(id), titleOf(conversation), posted.length)}</li>`
      })
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title} · Sandbox</title>
    <link rel="icon" href="/page/icon.svg">
    <link rel="stylesheet" href="/page/style.css">
    <script src="/page/live.js" defer></script>
  </head>
  <body data-shows="${shows}" data-version="${version}">
    <a class="skip" href="#content">Skip to the content</a>
    <div class="sidebar">
      <header><h1>Sandbox</h1></header>
      <nav id="strip" aria-label="Requests and conversations">
        ${link('/requests', 'Requests')}
        <h2>Channels</h2>
        <ul>${items(false)}</ul>
        <h2>Direct conversations</h2>
        <ul>${items(true)}</ul>
      </nav>
    </div>
    <main id="content" tabindex="-1">${content}</main>
  </body>
</html>
`.markup
}

/** Why the app cannot post to a conversation, if it cannot, and the error code. */
function refusalOf({ archived, kind, members, postingDenied }: Conversation, app = '') {
  if (!members.includes(app))
    return {
      why: 'the app is not a member',
      code: kind === 'public' ? 'not_in_channel' : 'channel_not_found',
    }
  if (archived) return { why: 'archived', code: 'is_archived' }
  return postingDenied ? { why: 'posting is denied', code: 'posting_to_channel_denied' } : undefined
}

export function conversationView(workspace: Workspace, conversation: Conversation): View {
  const { id, kind } = conversation
  const title = titleOf(conversation)
  const refusal = refusalOf(conversation, appOf(workspace))
  const messages = workspace.messages.filter(({ channel }) => channel === id)
  const item = (message: Message): Html => {
    const replies = messages.filter(({ threadTs }) => threadTs === message.ts).map(item)
    const thread =
      replies.length > 0 && html`<ol class="thread" aria-label="Thread">${replies}</ol>`
    return html`<li id="${message.ts}">${messageView(workspace, message)}${thread}</li>`
  }
  const roots = messages.filter(({ threadTs }) => !messages.some(({ ts }) => ts === threadTs))
  const none = refusal
    ? `The app cannot post here (${refusal.why}). Each attempt fails with ${refusal.code}.`
    : 'No messages yet. They appear here as they arrive.'
  const content = html`
<header>
  <h2><bdi>${title}</bdi></h2>
  <p>${[kinds[kind], refusal?.why].filter(Boolean).join(', ')} · <code>${id}</code></p>
</header>
${messages.length === 0 && html`<p class="empty">${none}</p>`}
<ol class="messages" aria-label="Messages in ${title}">${roots.map(item)}</ol>`
  return { title, href: hrefOf(id), shows: 'message', content }
}

function messageView(workspace: Workspace, message: Message): Html {
  const { blocks, by, channel, files, text, threadTs, ts, user } = message
  const { conversations, messages, settings } = workspace
  const rules = {
    nameOf: (sign: '@' | '#', id: string) =>
      sign === '@' ? settings.users.get(id) : conversations.find((one) => one.id === id)?.name,
  }
  const author = settings.users.get(user) ?? user
  const format = { dateStyle: 'medium', timeStyle: 'short' } as const
  const time = new Date(Number(ts) * 1000).toLocaleString('en-GB', format)
  const isLost = threadTs !== undefined && !messages.some((one) => one.ts === threadTs)
  // Beside blocks, the text is for notifications. In the comment of files, Slack shows labels of
  // links as they were typed.
  const labels = files.length === 0
  const typed = (text ?? '').slice(0, 40_000)
  const parts = blocks?.map((block) => blockView(block, rules)) ?? [
    mrkdwn(typed, { ...rules, labels, bareUrls: true }),
  ]
  return html`
<article aria-label="${author}, ${time}">
  <span class="avatar" aria-hidden="true">${author.slice(0, 1).toUpperCase()}</span>
  <header>
    <strong>${author}</strong>
    ${user === appOf(workspace) && html`<span class="tag">APP</span>`}
    <a href="${hrefOf(channel)}#${ts}">${time}</a>
    ${by && html`<span>by ${by}, which Slack does not offer</span>`}
    ${isLost && html`<span>reply to ${threadTs}, which is not in this channel</span>`}
  </header>
  ${parts.map((part) => html`<div class="text">${part}</div>`)}
  ${files.map(fileCard)}
</article>`
}

function fileCard(file: File): Html {
  const { id, name, title } = file
  const href = `/page/files/${encodeURIComponent(id)}`
  const kind = /\.(\w{1,5})$/.exec(name)?.[1]?.toUpperCase() ?? 'FILE'
  return html`
<div class="file" role="group" aria-label="File ${title}">
  <header>
    <span class="kind">${kind}</span>
    <div class="names">
      <h3><bdi>${title}</bdi></h3>
      <p>${title !== name && html`<bdi>${name}</bdi> · `}${size(file.size)}</p>
    </div>
    <a class="button" href="${href}" download="${name}" aria-label="Download ${title}">Download</a>
  </header>
  <div class="preview">${preview(file, href)}</div>
</div>`
}

const note = (text: string) => html`<p class="note">${text}</p>`

function preview({ name, size: bytes, stored, title }: File, src: string): Content {
  const type = mimetype(name)
  if (images.includes(type)) return html`<img src="${src}" alt="${title}">`
  const text = stored === undefined ? '' : beginningOf(stored)
  if (text === '') return note('Empty.')
  if (text.includes('\0')) return note('No preview for this kind of file.')
  const more = bytes > maxShown ? ' The file has more.' : ''
  const scroll = (shown: Content) =>
    html`<div class="scroll" role="group" tabindex="0" aria-label="Preview of ${title}">${shown}</div>`
  if (type !== 'text/csv' && type !== 'text/tab-separated-values')
    return [scroll(html`<pre class="plain">${text}</pre>`), note(more)]
  const { data } = papaparse.parse(text, { skipEmptyLines: true })
  // The last row may be half of one.
  const [head = [], ...rows] = more ? data.slice(0, -1) : data
  const shown = rows
    .slice(0, maxRows)
    .map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)
  const table = html`
<table>
  <thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
  <tbody>${shown}</tbody>
</table>`
  const first = rows.length > maxRows ? `${maxRows} of ` : ''
  return [scroll(table), note(`Table by the sandbox: ${first}${count(rows.length, 'row')}.${more}`)]
}

function beginningOf(path: string): string {
  const descriptor = openSync(path, 'r')
  const buffer = Buffer.alloc(maxShown)
  const length = readSync(descriptor, buffer)
  closeSync(descriptor)
  return buffer.toString('utf8', 0, length)
}

export function requestsView(requests: readonly RecordedRequest[], { files }: Workspace): View {
  const items = requests
    .filter(({ milliseconds }) => milliseconds !== undefined)
    .slice(-maxRequests)
    .toSorted((one, other) => other.run - one.run)
    .map((request) => {
      const { bytes, error, fault, fields, method, milliseconds = 0, path, run, status } = request
      const failed = status === undefined || status >= 400 || error !== undefined
      // Until then, a lookup of a completed file fails, and the client asks again.
      const isEarly = fields.some(
        ([name, id]) => name === 'file' && files.some((file) => file.id === id),
      )
      const early = error === 'file_not_found' && isEarly
      const leaked = request.origin === 'upload' && request.token !== 'none'
      const token = tokens[request.token] + (leaked ? ' to the upload URL' : '')
      return html`
<li><details class="request">
  <summary>
    <span class="run">Run ${run}</span>
    <span class="time">${new Date(request.time).toLocaleTimeString('en-GB')}</span>
    <code class="line">${method} ${path}</code>
    <span class="${early ? 'early' : failed && 'bad'}">${status ?? 'No response'} ${error}${early && ': not processed yet'} ${fault && html`<span class="badge">fault: ${fault}</span>`}</span>
    <span class="duration">${Math.round(milliseconds)} ms</span>
    <span class="size">${size(bytes)}</span>
    <span class="${leaked || request.token === 'wrong' ? 'token bad' : 'token'}">${token}</span>
  </summary>
  <pre>${JSON.stringify(request, readable, 2)}</pre>
</details></li>`
    })
  const content = html`
<header><h2>Requests</h2><p>The newest run comes first, with its requests in the order they were sent.</p></header>
<ol class="runs">${items}</ol>`
  return { title: 'Requests', href: '/requests', shows: 'request', content }
}

/** A pair on one line, and no long value. */
function readable(_: string, value: unknown): unknown {
  if (Array.isArray(value) && typeof value[0] === 'string') return value.map(shortened).join(': ')
  return typeof value === 'string' ? shortened(value) : value
}

const shortened = (text: string) => (text.length > maxValue ? `${text.slice(0, maxValue)} …` : text)

export function missingView(path: string): View {
  const title = path.startsWith('/files/') ? 'No such file' : 'No such conversation'
  const content = html`
<header><h2>${title}</h2></header>
<p class="empty">Choose a conversation from the list.</p>`
  return { title, href: path, shows: 'message', content }
}
