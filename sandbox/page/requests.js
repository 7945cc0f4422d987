/** @import { ShownRequest } from './events.ts' */
import { element, size } from './dom.js'

/** Every request that the service got, as a table that grows. */
export function requestTable() {
  const body = element('tbody')
  const head = ['Request', 'Answer', 'Time', 'Body', 'Token'].map((title) =>
    element('th', { scope: 'col', class: title === 'Time' || title === 'Body' ? 'number' : '' }, title),
  )
  return {
    table: element('table', { class: 'requests' }, element('thead', {}, element('tr', {}, ...head)), body),
    /** @param {ShownRequest} request */
    add: (request) => body.append(row(request)),
  }
}

/** @param {ShownRequest} request */
function row(request) {
  const { bytes, error, fields, method, milliseconds = 0, origin, path, status, token } = request
  const line = `${method} ${path}`
  const failed = status === undefined || status >= 400 || error !== undefined
  const answer = status === undefined ? 'none' : `${status}${error === undefined ? '' : ` ${error}`}`
  const leaked = origin === 'upload' && token !== 'none'
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row', 'aria-label': line },
      fields.length === 0 ? element('code', {}, line) : folded(line, fields),
    ),
    element('td', failed ? { class: 'bad' } : {}, answer),
    element('td', { class: 'number' }, `${Math.round(milliseconds).toLocaleString('en')} ms`),
    element('td', { class: 'number' }, size(bytes)),
    element(
      'td',
      leaked || token === 'wrong' ? { class: 'bad' } : {},
      { none: 'not sent', right: 'sent', wrong: 'sent, not valid' }[token],
      leaked ? ' to the upload URL' : '',
    ),
  )
}

/**
 * @param {string} line
 * @param {ShownRequest['fields']} fields
 */
function folded(line, fields) {
  const list = fields.flatMap(([field, value]) => [element('dt', {}, field), element('dd', {}, value)])
  return element('details', {}, element('summary', {}, element('code', {}, line)), element('dl', {}, ...list))
}
