// What the window shows follows from the address and from the events of the sandbox.
/** @import { Posted, ShownMessage, State } from './events.ts' */
/** @import { RecordedRequest } from '../requests.ts' */
/** @import { Conversation } from '../workspace.ts' */
import { blockView } from './blocks.js'
import { byId, count, dayOf, element, timeOfDay, watchRight } from './dom.js'
import { icon } from './icons.js'
import { mrkdwn } from './mrkdwn.js'
import { stayAt } from './position.js'
import { fileCard } from './preview.js'
import { requestList } from './requests.js'

const content = byId('content')
const connection = byId('connection')
/** On a narrow window, the navigation is a strip. */
const updateStrip = watchRight(byId('strip'))

/** @type {Pick<State, 'app' | 'users'>} */
let service = { app: undefined, users: {} }
/** @type {Map<string, Conversation>} */
let conversations = new Map()
/** @type {ShownMessage[]} */
let messages = []
/** @type {RecordedRequest[]} */
let requests = []
/** The links to the conversations. @type {Map<string, HTMLAnchorElement>} */
const links = new Map()

/**
 * Adds what has just arrived to what is shown.
 *
 * @type {{
 *   message?: (message: ShownMessage) => void,
 *   request?: (request: RecordedRequest) => void,
 * }}
 */
let shown = {}

/** The path that is shown. */
let rendered = ''

const events = new EventSource('/page/events')
events.onopen = () => connected(true)
events.onerror = () => connected(false)
events.addEventListener('state', ({ data }) => {
  /** @type {State} */
  const state = JSON.parse(data)
  service = state
  conversations = new Map(
    state.conversations.map((conversation) => [conversation.id, conversation]),
  )
  messages = [...state.messages]
  requests = [...state.requests]
  for (const link of links.values()) link.parentElement?.remove()
  links.clear()
  render()
})
events.addEventListener('message', ({ data }) => {
  /** @type {Posted} */
  const { conversation, message } = JSON.parse(data)
  const before = view()
  const isShown = before.channel !== message.channel || conversations.has(conversation.id)
  conversations.set(conversation.id, conversation)
  messages.push(message)
  const what = message.files.length === 0 ? 'a text' : count(message.files.length, 'file')
  announce(`New in ${titleOf(conversation)}: ${what}`)
  if (!isShown || view().channel !== before.channel) render()
  else {
    sidebar()
    if (before.channel === message.channel) shown.message?.(message)
  }
})
events.addEventListener('request', ({ data }) => {
  /** @type {RecordedRequest} */
  const request = JSON.parse(data)
  requests.push(request)
  sidebar()
  shown.request?.(request)
})

/** @param {boolean} live */
function connected(live) {
  connection.dataset['live'] = live ? 'yes' : 'no'
  connection.textContent = live ? 'Live' : 'Not connected'
  if (!live) announce('Not connected to the sandbox')
}

/** @param {string} text */
function announce(text) {
  byId('announcement').textContent = text
}

/**
 * The address as the service writes it in links: `/archives/<channel>[/p<ts>]`,
 * `/files/<user>/<file>/<name>`; `/requests` is the page's own, and `/` is the first message.
 *
 * @returns {{ requests?: true, channel?: string | undefined, ts?: string | undefined }}
 */
function view() {
  const [place, first, second] = location.pathname.slice(1).split('/').map(decodeURIComponent)
  if (place === 'requests') return { requests: true }
  if (place === 'archives' && first !== undefined) {
    return { channel: first, ts: second?.replace(/^p(\d+)(\d{6})$/, '$1.$2') }
  }
  if (place === 'files') {
    const message = messages.find(({ files }) => files.some(({ id }) => id === second))
    return message === undefined ? {} : { channel: message.channel, ts: message.ts }
  }
  return { channel: messages[0]?.channel ?? conversations.keys().next().value, ts: messages[0]?.ts }
}

function render() {
  rendered = location.pathname
  const { channel, ts, requests: wanted } = view()
  const conversation = conversations.get(channel ?? '')
  shown = {}
  if (wanted) requestsView()
  else if (conversation !== undefined) conversationView(conversation)
  else missingView(channel)
  sidebar()
  document
    .querySelector('.sidebar [aria-current]')
    ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  const linked = ts === undefined ? null : document.getElementById(ts)
  linked?.classList.add('linked')
  stayAt(conversation === undefined ? 'none' : (linked ?? 'end'))
}

/** Links stay the same elements, so that the keyboard's focus stays where it is. */
function sidebar() {
  const { channel, requests: wanted } = view()
  byId('request-count').textContent = String(requests.length)
  byId('requests').ariaCurrent = wanted ? 'page' : null
  for (const conversation of conversations.values()) {
    const { id, kind, name } = conversation
    const link = links.get(id) ?? element('a', { href: hrefOf(id) })
    if (!links.has(id)) {
      links.set(id, link)
      byId(kind === 'direct' || kind === 'group' ? 'direct-conversations' : 'channels').append(
        element('li', {}, link),
      )
    }
    const posted = messages.filter((message) => message.channel === id).length
    const noun = element(
      'span',
      { class: 'visually-hidden' },
      posted === 1 ? ' message' : ' messages',
    )
    const number = element(
      'span',
      { class: 'count' },
      ...(posted === 0 ? [] : [String(posted), noun]),
    )
    const closed = element('span', { class: 'visually-hidden' }, ' (closed to the app)')
    const end = refusalOf(conversation) === undefined ? [number] : [icon('closed'), closed]
    link.replaceChildren(icon(iconOf(conversation)), element('bdi', {}, name), ...end)
    link.ariaCurrent = id === channel ? 'page' : null
  }
  updateStrip()
}

/** @param {Conversation} conversation */
function conversationView(conversation) {
  const { id, kind } = conversation
  const refusal = refusalOf(conversation)
  const kindName = {
    public: 'Public channel',
    private: 'Private channel',
    direct: 'Direct conversation',
    group: 'Group conversation',
  }[kind]
  const facts = refusal === undefined ? [kindName] : [kindName, refusal.why]
  const title = heading(
    titleOf(conversation),
    ...(kind === 'public' ? [] : [icon(iconOf(conversation))]),
  )
  const about = element('p', {}, `${facts.join(', ')} · `, element('code', {}, id))
  const list = element('ol', {
    class: 'messages',
    'aria-label': `Messages in ${titleOf(conversation)}`,
  })
  const empty = element('div', { class: 'empty' })
  if (refusal === undefined) empty.append('No messages yet. They appear here as they arrive.')
  else
    empty.append(
      `The app cannot post here (${refusal.why}). Each attempt fails with `,
      element('code', {}, refusal.code),
      '.',
    )
  content.replaceChildren(element('header', {}, title, about), empty, list)
  const add = (/** @type {ShownMessage} */ message) => {
    empty.hidden = true
    const parent = message.threadTs === undefined ? null : document.getElementById(message.threadTs)
    const item = element('li', { id: message.ts }, messageView(message, parent === null))
    if (parent === null) list.append(item)
    else replies(parent).append(item)
  }
  for (const message of messages) if (message.channel === id) add(message)
  shown.message = add
}

/**
 * Why the app cannot post to a conversation, if it cannot, and the error code.
 * @param {Conversation} conversation
 */
function refusalOf({ archived, kind, members, postingDenied }) {
  if (service.app === undefined || !members.includes(service.app))
    return {
      why: 'the app is not a member',
      code: kind === 'public' ? 'not_in_channel' : 'channel_not_found',
    }
  if (archived) return { why: 'archived', code: 'is_archived' }
  return postingDenied ? { why: 'posting is denied', code: 'posting_to_channel_denied' } : undefined
}

/** The list of a message's thread. @param {HTMLElement} parent */
function replies(parent) {
  const there = parent.querySelector('ol')
  if (there !== null) return there
  const list = element('ol', { class: 'thread', 'aria-label': 'Thread' })
  parent.append(list)
  return list
}

/**
 * @param {ShownMessage} message
 * @param {boolean} alone Whether the message that it replies to, if any, is not shown.
 */
function messageView(message, alone) {
  const { blocks, by, channel, files, text, threadTs, ts, user } = message
  const date = new Date(Number(ts) * 1000)
  const author = service.users[user] ?? user
  const parts = [
    // Beside blocks, the text is for notifications. In the comment of files, Slack shows labels of
    // links as they were typed.
    ...(text === undefined || blocks !== undefined
      ? []
      : [mrkdwn(text.slice(0, 40_000), { ...rules, labels: files.length === 0, bareUrls: true })]),
    ...(blocks ?? []).map((block) => blockView(block, rules)),
  ]
  const time = timeOfDay(date)
  const link = {
    href: `${hrefOf(channel)}/p${ts.replace('.', '')}`,
    title: `${dayOf(date)}, ${time}`,
  }
  const lost =
    alone && threadTs !== undefined ? [`reply to ${threadTs}, which is not in this channel`] : []
  return element(
    'article',
    { 'aria-label': `${author}, ${dayOf(date)}, ${time}` },
    element('span', { class: 'avatar', 'aria-hidden': 'true' }, author.slice(0, 1).toUpperCase()),
    element(
      'header',
      {},
      element('strong', {}, author),
      ...(user === service.app ? [element('span', { class: 'tag' }, 'APP')] : []),
      element('a', link, element('time', { datetime: date.toISOString() }, time)),
      ...(by === undefined ? [] : [element('span', {}, `by ${by}, which Slack does not offer`)]),
      ...lost.map((note) => element('span', {}, note)),
    ),
    ...parts.map((part) => element('div', { class: 'text' }, part)),
    ...files.map(fileCard),
  )
}

const rules = {
  nameOf: (/** @type {'@' | '#'} */ sign, /** @type {string} */ id) =>
    sign === '@' ? service.users[id] : conversations.get(id)?.name,
}

function requestsView() {
  const { add, list } = requestList()
  for (const request of requests) add(request)
  shown.request = add
  const order = 'The newest run comes first, with its requests in the order they were sent.'
  content.replaceChildren(element('header', {}, heading('Requests'), element('p', {}, order)), list)
}

/** @param {string | undefined} channel */
function missingView(channel) {
  const place = location.pathname.startsWith('/files/') ? 'file' : 'conversation'
  const missing = channel === undefined ? `such ${place}` : element('code', {}, channel)
  const hint = '. Choose a conversation from the list.'
  content.replaceChildren(
    element('header', {}, heading(`No such ${place}`)),
    element('p', { class: 'empty' }, 'The sandbox has no ', missing, hint),
  )
}

/** @param {string} text @param {readonly Node[]} before */
function heading(text, ...before) {
  document.title = `${text} · Sandbox`
  return element('h2', {}, ...before, element('bdi', {}, text))
}

/** @param {Conversation} conversation */
const titleOf = ({ kind, name }) => (kind === 'public' ? `#${name}` : name)

/** @param {Conversation} conversation @returns {'hash' | 'lock' | 'person'} */
const iconOf = ({ kind }) =>
  /** @type {const} */ ({ public: 'hash', private: 'lock', direct: 'person', group: 'person' })[
    kind
  ]

/** @param {string} channel */
const hrefOf = (channel) => `/archives/${encodeURIComponent(channel)}`

byId('requests').prepend(icon('requests'))
addEventListener('popstate', () => {
  // The link that skips to the content changes the hash only.
  if (location.pathname !== rendered) render()
})
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.target !== '' || link.download !== '' || link.hash !== '') return
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  history.pushState(null, '', link.href)
  render()
})
