/** @import { RecordedRequest } from '../requests.ts' */
import { count, dayOf, element, size, timeOfDay } from './dom.js'

/**
 * Every request that the service received: the newest run first, its requests in the order in which
 * they were sent.
 */
export function requestList() {
  const list = element('div', { class: 'runs' })
  /** @type {Map<number, ReturnType<typeof runView>>} */
  const runs = new Map()
  return {
    list,
    /** @param {RecordedRequest} request */
    add(request) {
      const run = runs.get(request.run) ?? runView(request.run)
      if (!runs.has(request.run)) {
        runs.set(request.run, run)
        const newer = [...runs.keys()].filter((number) => number > request.run)
        const before = newer.length === 0 ? undefined : runs.get(Math.min(...newer))
        if (before === undefined) list.prepend(run.section)
        else before.section.after(run.section)
      }
      run.add(request)
    },
  }
}

/** @param {number} number */
function runView(number) {
  const title = element('h3', { id: `run-${number}` })
  const facts = element('p')
  const list = element('ol')
  /** @type {RecordedRequest[]} */
  const requests = []
  return {
    section: element(
      'section',
      { 'aria-labelledby': title.id },
      element('header', {}, title, facts),
      list,
    ),
    /** @param {RecordedRequest} request */
    add(request) {
      const after = requests.filter(({ time }) => time <= request.time).length
      requests.splice(after, 0, request)
      list.insertBefore(element('li', {}, requestView(request)), list.children[after] ?? null)
      const faults = requests.filter(({ fault }) => fault !== undefined).length
      const client = request.headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1]
      const begin = new Date(requests[0]?.time ?? 0)
      const method = methodOf(requests)
      title.textContent = `Run ${number}${method === undefined ? '' : `: ${method}`}`
      facts.textContent = [
        `${dayOf(begin)}, ${timeOfDay(begin)}`,
        count(requests.length, 'request'),
        ...(faults === 0 ? [] : [count(faults, 'simulated fault')]),
        ...(client === undefined ? [] : [client]),
      ].join(' · ')
    },
  }
}

/** @param {readonly RecordedRequest[]} requests */
function methodOf(requests) {
  const called = (/** @type {string} */ method) =>
    requests.some(({ path }) => path.endsWith(`/api/${method}`))
  if (called('files.getUploadURLExternal')) return 'external upload'
  return called('files.upload') ? 'files.upload' : undefined
}

/** @param {RecordedRequest} request */
function requestView(request) {
  const {
    bytes,
    error,
    fault,
    method,
    milliseconds = 0,
    origin,
    path,
    status,
    time,
    token,
  } = request
  const date = new Date(time)
  const failed = status === undefined || status >= 400 || error !== undefined
  const response =
    status === undefined ? 'No response' : `${status}${error === undefined ? '' : ` ${error}`}`
  const leaked = origin === 'upload' && token !== 'none'
  const tokenText = { none: 'No token', right: 'Token sent', wrong: 'Invalid token sent' }[token]
  const cell = (
    /** @type {string} */ name,
    /** @type {readonly (Node | string)[]} */ ...children
  ) => element('span', { class: name }, ...children, ' ')
  const view = element(
    'details',
    { class: 'request' },
    element(
      'summary',
      {},
      cell(
        'time',
        element('time', { datetime: date.toISOString() }, timeOfDay(date, { seconds: true })),
      ),
      cell('line', element('code', {}, `${method} `, ...breakable(path))),
      cell(
        failed ? 'response bad' : 'response',
        response,
        ...(fault === undefined
          ? []
          : [' ', element('span', { class: 'badge' }, `fault: ${fault}`)]),
      ),
      cell('duration', `${Math.round(milliseconds).toLocaleString('en')} ms`),
      cell('size', size(bytes)),
      cell(
        leaked || token === 'wrong' ? 'token bad' : 'token',
        tokenText,
        leaked ? ' to the upload URL' : '',
      ),
    ),
  )
  // Most are never opened.
  view.addEventListener('toggle', () => view.append(parts(request)), { once: true })
  return view
}

/** @param {RecordedRequest} request */
function parts(request) {
  const { bytes, fields, file, headers, responseBody = '' } = request
  const { contentType, length, name, sha256 } = file ?? {}
  const facts = [
    contentType,
    length === undefined ? undefined : size(length),
    sha256 && `SHA-256 ${sha256}`,
  ]
  const described = facts.filter((fact) => fact !== undefined).join(', ')
  const body = [
    ...fields,
    ...(file === undefined
      ? []
      : [[file.field ?? 'bytes', name === undefined ? described : `${name}: ${described}`]]),
  ]
  return element(
    'div',
    { class: 'parts' },
    element('h4', {}, 'Headers'),
    list(headers),
    element('h4', {}, 'Body'),
    body.length > 0
      ? list(body)
      : element('p', { class: 'none' }, bytes === 0 ? 'Empty' : `${size(bytes)}, not read`),
    element('h4', {}, 'Response'),
    responseBody === ''
      ? element('p', { class: 'none' }, 'Empty')
      : element('pre', {}, responseBody),
  )
}

/** @param {readonly (readonly string[])[]} pairs */
function list(pairs) {
  return element(
    'dl',
    {},
    ...pairs.map(([name = '', value = '']) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, value)),
    ),
  )
}

/** A path that wraps after a slash, or a dot in the name of a method. @param {string} path */
const breakable = (path) => path.split(/(?<=[/.])/).flatMap((part) => [part, element('wbr')])
