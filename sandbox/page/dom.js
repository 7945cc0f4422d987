/**
 * A new element. Text becomes text nodes; nothing here parses markup.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Readonly<Record<string, string>>} [attributes]
 * @param {readonly (Node | string)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** @param {string} id */
export function byId(id) {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no #${id}`)
  return found
}

/** In decimal units. @param {number} bytes */
export function size(bytes) {
  const exponent = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3))
  const value = (bytes / 1000 ** exponent).toLocaleString('en', {
    maximumFractionDigits: exponent === 0 ? 0 : 1,
  })
  return `${value} ${['B', 'KB', 'MB', 'GB', 'TB'][exponent]}`
}

/** The one clock of the page. @param {Date} date @param {{ seconds?: boolean }} options */
export function timeOfDay(date, { seconds = false } = {}) {
  const second = /** @type {const} */ ('2-digit')
  return date.toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds && { second }),
  })
}

/** @param {Date} date */
export const dayOf = (date) => date.toLocaleDateString('en-GB', { dateStyle: 'medium' })

/**
 * Marks whether something goes on to the right, now and when it changes.
 * @param {HTMLElement} scroller
 */
export function watchRight(scroller) {
  const update = () => {
    const goesOn = scroller.scrollLeft + scroller.clientWidth <= scroller.scrollWidth - 2
    scroller.toggleAttribute('data-goes-on', goesOn)
  }
  scroller.addEventListener('scroll', update)
  new ResizeObserver(update).observe(scroller)
  return update
}

/** @param {number} number @param {string} noun */
export function count(number, noun) {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}
