// Files as cards. A file's content becomes text of elements, or an image; it is never parsed as
// markup.
/** @import { ShownFile } from './events.ts' */
import { count, element, size, watchRight } from './dom.js'

/** Characters of a file that are read for its preview. */
const maxRead = 1_000_000
const maxShown = 20_000
const maxCell = 300
/** So that the comment above a table stays in view. */
const rowsAtFirst = 4
const rowsAtOnce = 50

/** Files are read when they come near the window. */
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      near.unobserve(target)
      fill.get(target)?.()
    }
  },
  { rootMargin: '800px' },
)

/** @type {WeakMap<Element, () => void>} */
const fill = new WeakMap()

/** @param {ShownFile} file */
export function fileCard(file) {
  const { id, name, title } = file
  const kind = /\.([a-z\d]{1,5})$/i.exec(name)?.[1]?.toUpperCase() ?? 'FILE'
  const facts = [
    ...(title === name ? [] : [element('bdi', {}, name), ' · ']),
    element('span', { class: 'size' }, size(file.size)),
  ]
  const names = [element('h3', {}, element('bdi', {}, title)), element('p', {}, ...facts)]
  const link = {
    class: 'button',
    href: source(id),
    download: name,
    'aria-label': `Download ${title}`,
  }
  const header = element(
    'header',
    {},
    element('span', { class: 'kind' }, kind),
    element('div', { class: 'names' }, ...names),
    element('a', link, 'Download'),
  )
  const preview = element('div', { class: 'preview' })
  fill.set(preview, () => show(file, preview))
  near.observe(preview)
  // Groups, not landmarks: the same file can be in many messages.
  return element(
    'div',
    { class: 'file', role: 'group', 'aria-label': `File ${title}` },
    header,
    preview,
  )
}

/** @param {string} id */
const source = (id) => `/page/files/${encodeURIComponent(id)}`

/** @param {string} text */
const note = (text) => element('p', { class: 'note' }, text)

/** @param {ShownFile} file @param {HTMLElement} preview */
async function show(file, preview) {
  if (['image/gif', 'image/jpeg', 'image/png', 'image/webp'].includes(file.mimetype)) {
    const image = element('img', { src: source(file.id), alt: file.title })
    image.addEventListener('error', () =>
      preview.replaceChildren(note('The browser cannot show this image.')),
    )
    preview.replaceChildren(image)
    return
  }
  try {
    const { text, whole } = await read(file)
    const isTable = file.mimetype === 'text/csv' || file.mimetype === 'text/tab-separated-values'
    if (text === '') preview.replaceChildren(note('Empty.'))
    else if (text.includes('\0')) preview.replaceChildren(note('No preview for this kind of file.'))
    else if (isTable) preview.replaceChildren(...table(text, whole, file))
    else preview.replaceChildren(...plain(text, whole, file))
  } catch {
    preview.replaceChildren(note('The sandbox did not return the file.'))
  }
}

/** The beginning of a file as UTF-8. @param {ShownFile} file */
async function read({ id }) {
  const { body, ok } = await fetch(source(id))
  if (!ok || body === null) throw new Error('Not there')
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (text.length < maxRead) {
    const { done, value } = await reader.read()
    if (done) return { text, whole: true }
    text += value
  }
  await reader.cancel()
  return { text: text.slice(0, maxRead), whole: false }
}

/** @param {string} text @param {boolean} whole @param {ShownFile} file */
function plain(text, whole, { title }) {
  const shown = element(
    'pre',
    { ...scrollable(title), class: 'scroll plain' },
    text.slice(0, maxShown),
  )
  const first = `The first ${maxShown.toLocaleString('en')} characters. The file has more.`
  const state =
    whole && text.length <= maxShown ? count(text.trimEnd().split('\n').length, 'line') : first
  watchScroll(shown)
  return [shown, element('p', { class: 'note' }, element('span', {}, state))]
}

/**
 * The first row is taken for the header.
 * @param {string} text
 * @param {boolean} whole
 * @param {ShownFile} file
 */
function table(text, whole, { title }) {
  const { data } = Papa.parse(text, { skipEmptyLines: true })
  // The last row that was read may be half of one; where it is the only one it is better than none.
  const complete = whole || data.length <= 2 ? data : data.slice(0, -1)
  const [head = [], ...rows] = complete
  const columns = Math.max(...complete.slice(0, rowsAtOnce).map((row) => row.length))
  const numeric = Array.from({ length: columns }, (_, index) =>
    isNumeric(rows.map((row) => row[index] ?? '')),
  )
  const cells = (/** @type {readonly string[]} */ row, /** @type {'th' | 'td'} */ tag) =>
    numeric.map((isNumber, index) => {
      const attributes = {
        ...(tag === 'th' && { scope: 'col' }),
        ...(isNumber && { class: 'number' }),
      }
      return element(tag, attributes, cut(row[index] ?? ''))
    })
  const body = element('tbody')
  const header = element('thead', {}, element('tr', {}, ...cells(head, 'th')))
  const scroller = element('div', scrollable(title), element('table', {}, header, body))
  const state = element('span')
  const more = element('button', { type: 'button' })
  const add = () => {
    const from = body.childElementCount
    const next = rows.slice(from, from + (from === 0 ? rowsAtFirst : rowsAtOnce))
    body.append(...next.map((row) => element('tr', {}, ...cells(row, 'td'))))
    const shown = body.childElementCount
    const known = whole
      ? count(rows.length, 'row')
      : `${count(rows.length, 'row')} read; the file has more`
    state.textContent = shown === rows.length ? known : `${shown.toLocaleString('en')} of ${known}`
    more.textContent = `Show ${Math.min(rowsAtOnce, rows.length - shown)} more`
    more.hidden = shown === rows.length
  }
  more.addEventListener('click', () => {
    add()
    if (more.hidden) scroller.focus()
  })
  add()
  const label = element('span', {}, 'Table by the sandbox')
  watchScroll(scroller)
  return [scroller, element('p', { class: 'note' }, label, state, more)]
}

/** @param {readonly string[]} values */
function isNumeric(values) {
  const sample = values.slice(0, rowsAtOnce).filter((value) => value !== '')
  return sample.length > 0 && sample.every((value) => /^[-+]?[\d.,]+ ?%?$/.test(value))
}

/** @param {string} text */
const cut = (text) => (text.length > maxCell ? `${text.slice(0, maxCell)} …` : text)

/** @param {string} title */
const scrollable = (title) => ({
  class: 'scroll',
  role: 'group',
  'aria-label': `Preview of ${title}`,
})

/**
 * What scrolls has to be reached by the keyboard, and nothing else.
 * @param {HTMLElement} scroller
 */
function watchScroll(scroller) {
  const update = () => {
    const { clientHeight, clientWidth, scrollHeight, scrollWidth } = scroller
    scroller.tabIndex = scrollHeight > clientHeight || scrollWidth > clientWidth ? 0 : -1
  }
  const observer = new ResizeObserver(update)
  for (const element of [scroller, ...scroller.children]) observer.observe(element)
  watchRight(scroller)
}
