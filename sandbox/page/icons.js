/** Outlines in a square of 16 units. */
const outlines = {
  closed: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM4.1 4.1l7.8 7.8',
  hash: 'M6.5 2.5 5 13.5M11 2.5 9.5 13.5M3 6h10.5M2.5 10H13',
  lock: 'M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  person:
    'M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8ZM2.75 13.5c.5-2.4 2.6-3.75 5.25-3.75s4.75 1.35 5.25 3.75',
  requests: 'M2.5 5.5h9m-2.5-3 3 3-3 3M13.5 11h-9m2.5-2.5-2.5 2.5 2.5 2.5',
}

/** A decoration that takes the color of the text. @param {keyof typeof outlines} name */
export function icon(name) {
  const namespace = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(namespace, 'svg')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(namespace, 'path')
  path.setAttribute('d', outlines[name])
  svg.append(path)
  return svg
}
