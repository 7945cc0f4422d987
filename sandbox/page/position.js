// Previews load after the messages and push what is below them. The window stays at the place that
// the reader chose.
import { byId } from './dom.js'

/** Pixels from the end that count as the end. */
const tolerance = 40

/**
 * `undefined`: where the reader scrolled to. `none`: nothing is followed.
 * @type {Element | 'end' | undefined | 'none'}
 */
let place = 'none'
let height = 0
let position = 0

/** @param {Element | 'end' | 'none'} next */
export function stayAt(next) {
  place = next
  if (place === 'none') scrollTo(0, 0)
  align()
}

function align() {
  const header = document.querySelector('main > header')
  const covered =
    header === null ? 0 : header.clientHeight + Number.parseFloat(getComputedStyle(header).top)
  document.documentElement.style.scrollPaddingTop = `${covered}px`
  if (place === 'end') scrollTo(0, document.documentElement.scrollHeight)
  else if (place instanceof Element) place.scrollIntoView({ block: 'start' })
  height = document.documentElement.scrollHeight
  position = scrollY
}

new ResizeObserver(align).observe(byId('content'))

const keys = ['ArrowDown', 'ArrowUp', 'End', 'Home', 'PageDown', 'PageUp', ' ']

// What a reader does at the moment at which the content changes counts too.
for (const type of /** @type {const} */ (['wheel', 'touchmove', 'keydown'])) {
  addEventListener(type, (event) => {
    if (event instanceof KeyboardEvent && !keys.includes(event.key)) return
    if (place !== 'none') place = undefined
  })
}

addEventListener('scroll', () => {
  // The browser moves the window too when the content changes; that is no choice of the reader.
  if (place === 'none' || document.documentElement.scrollHeight !== height) return
  if (Math.abs(scrollY - position) < 2) return
  place = innerHeight + scrollY >= height - tolerance ? 'end' : undefined
})
