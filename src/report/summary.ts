import * as core from '@actions/core'
import type { DeliveredMessage } from '../delivery/delivered.ts'
import type { FoundFile, FoundFiles } from '../files/files.ts'
import type { Problem } from '../problem.ts'
import type { Finding } from '../service/service.ts'
import { formatCount, formatDuration, formatNumber, formatSize } from '../text/format.ts'
import { shorten, visible } from '../text/sanitize.ts'
import { render, type Text } from '../text/text.ts'
import { nameOf, stateText } from './lines.ts'
import type { Log } from './log.ts'
import {
  type FilePlaces,
  headline,
  leftUnnamed,
  noticesOf,
  placesOf,
  problemsOf,
  type RunReport,
  warningsOf,
  wasTried,
} from './run-report.ts'
import { requireRegularFile } from './runner-file.ts'

/** Bytes. GitHub refuses summaries over 1 MiB; long before that nobody reads on. */
const limits = { table: 200_000, list: 50_000, problems: 50_000 } as const
const maxChannelsInCell = 100
/** Characters. A name does not break: a long one would push the columns beside it out of sight. */
const cellLimit = 80
const nameLimit = 200
const problemLimit = 2000
const urlLimit = 2000

/**
 * The job summary: Markdown that is HTML but for its heading, because inside an HTML block GitHub reads no Markdown, and
 * in `code` it looks for no mentions, emoji and references. An HTML block ends at an empty line: there is none in it.
 */
export function renderSummary(run: RunReport): string {
  return [
    `### ${statusIcons[run.status]} ${headline(run)}`,
    renderProblems('❌', problemsOf(run)),
    renderTable(run),
    renderFindings(run.findings),
    renderProblems('⚠️', warningsOf(run)),
    renderProblems('ℹ️', noticesOf(run)),
    run.found === undefined ? '' : renderLeftOut(run.found),
    renderEnd(run),
  ]
    .filter((block) => block !== '')
    .join('\n\n')
    .concat('\n')
}

/** Appends to the file that the runner shows as the job summary. A run is not worse for a summary that nobody can write. */
export async function writeSummary(markdown: string, log: Log): Promise<void> {
  try {
    requireRegularFile('GITHUB_STEP_SUMMARY')
    await core.summary.addRaw(markdown).write()
  } catch (error) {
    log.info(`The job summary could not be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const statusIcons: Readonly<Record<RunReport['status'], string>> = {
  posted: '✅',
  accepted: '✅',
  skipped: '⏭️',
  'dry-run': '🧪',
  partial: '⚠️',
  unknown: '❓',
  failed: '❌',
}

const methods = { external: 'the external upload', 'files.upload': '<code>files.upload</code>' } as const

function renderEnd(run: RunReport): string {
  if (run.delivery === undefined || run.destination === undefined) return ''
  const by = `${code(run.destination.host, nameLimit)}, by ${methods[run.destination.method]}`
  return `<p>${wasTried(run) ? `${formatDuration(run.milliseconds)} · ` : ''}${by}</p>`
}

function renderProblems(icon: string, problems: readonly Problem[]): string {
  const { more, rendered } = renderWithin(limits.problems, problems, ({ text, title }) => {
    const lines =
      typeof text === 'string' ? shorten(text, problemLimit).split('\n').map(prose) : htmlOf(text).split('\n')
    return `<p>${icon} <strong>${prose(shorten(title, nameLimit))}</strong><br>${lines.join('<br>')}</p>`
  })
  return [...rendered, ...(more === 0 ? [] : [`<p>${icon} and ${formatNumber(more)} more</p>`])].join('\n\n')
}

function renderTable(run: RunReport): string {
  const groups: readonly Group[] =
    run.delivery === undefined
      ? (run.found?.files ?? []).map((file) => ({ files: [{ file }], messages: [] }))
      : groupByMessage(placesOf(run.delivery))
  if (groups.length === 0) return ''

  const { more, rendered } = renderWithin(limits.table, groups, (group) => renderGroup(run, group))
  const left = groups.slice(groups.length - more).reduce((count, { files }) => count + files.length, 0)
  return [
    '<table>',
    '<tr><th>File</th><th>Size</th><th>Channels</th><th>State</th></tr>',
    ...rendered,
    ...(left === 0 ? [] : [`<tr><td colspan="4">and ${formatCount(left, 'more file')}</td></tr>`]),
    '</table>',
  ].join('\n')
}

/** As many from the beginning as have room in `limit` bytes, and how many more there are. */
function renderWithin<T>(
  limit: number,
  items: readonly T[],
  render: (item: T) => string,
): { rendered: readonly string[]; more: number } {
  const rendered: string[] = []
  let bytes = 0
  for (const item of items) {
    const html = render(item)
    bytes += Buffer.byteLength(html)
    if (bytes > limit) break
    rendered.push(html)
  }
  return { rendered, more: items.length - rendered.length }
}

/** Files that stand in the same messages. */
interface Group {
  readonly files: readonly { readonly file: Pick<FoundFile, 'displayPath' | 'size'>; readonly permalink?: string }[]
  readonly messages: readonly DeliveredMessage[]
}

function groupByMessage(places: readonly FilePlaces[]): readonly Group[] {
  const groups: { files: FilePlaces['delivered'][]; messages: readonly DeliveredMessage[] }[] = []
  for (const { delivered, messages } of places) {
    const last = groups.at(-1)
    const same =
      messages.length > 0 &&
      last?.messages.length === messages.length &&
      last.messages.every((one, at) => one === messages[at])
    if (same) last.files.push(delivered)
    else groups.push({ files: [delivered], messages })
  }
  return groups
}

function renderGroup(run: RunReport, { files, messages }: Group): string {
  const span = files.length === 1 ? '' : ` rowspan="${files.length}" valign="top"`
  const shared = `<td${span}>${renderChannels(messages)}</td><td${span}>${renderState(run, messages)}</td>`
  return files
    .map(({ file, permalink }, at) => {
      const size = formatSize(file.size).replace(' ', '&nbsp;')
      const cells = `<td>${link(permalink, file.displayPath)}</td><td align="right">${size}</td>`
      return `<tr>${cells}${at === 0 ? shared : ''}</tr>`
    })
    .join('\n')
}

function renderChannels(messages: readonly DeliveredMessage[]): string {
  return capped(messages.map(({ conversation, permalink }) => link(permalink, nameOf(conversation))))
}

/** Where channels differ, those that do not show the message are named. */
function renderState(run: RunReport, messages: readonly DeliveredMessage[]): string {
  const byState = Map.groupBy(messages, ({ state }) => state)
  if (byState.size === 0) return stateText('not-sent', run)
  return [...byState]
    .map(([state, those]) => {
      const text = stateText(state, run)
      if (byState.size === 1 || state === 'posted') return text
      return `${text}: ${capped(those.map(({ conversation }) => code(nameOf(conversation), cellLimit)))}`
    })
    .join('<br>')
}

function capped(items: readonly string[]): string {
  const more = items.length - maxChannelsInCell
  return items.slice(0, maxChannelsInCell).join(', ') + (more > 0 ? ` and ${formatNumber(more)} more` : '')
}

function renderFindings(findings: readonly Finding[]): string {
  const icons = { fine: '✅', fails: '❌', 'cannot-tell': '❓' } as const
  const list = renderList(findings, ({ about, note, problem, verdict }) => {
    const said = problem?.title ?? note
    return `${icons[verdict]} ${code(about, nameLimit)}${said === undefined ? '' : `: ${prose(shorten(said, problemLimit))}`}`
  })
  return list === '' ? '' : `<p>Checked</p>\n${list}`
}

function renderLeftOut({ leftOut, unmatched }: FoundFiles): string {
  const unnamed = leftUnnamed(leftOut)
  const items = [
    ...unnamed.map(({ displayPath, why }) => ({ name: displayPath, why })),
    ...unmatched.map(({ explanation, pattern }) => ({
      name: pattern,
      why: `no file matches. ${explanation.replaceAll('\n', ' ')}`,
    })),
  ]
  if (items.length === 0) return ''
  const more = unnamed.length < leftOut.length ? ' more' : ''
  const counts = [
    ...(unnamed.length === 0 ? [] : [`${formatNumber(unnamed.length)}${more} left out`]),
    ...(unmatched.length === 0 ? [] : [`${formatCount(unmatched.length, 'pattern')} without a match`]),
  ]
  const list = renderList(items, ({ name, why }) => `${code(name, nameLimit)}: ${prose(shorten(why, problemLimit))}`)
  return `<details><summary>${counts.join(', ')}</summary>\n${list}\n</details>`
}

function renderList<T>(items: readonly T[], render: (item: T) => string): string {
  if (items.length === 0) return ''
  const { more, rendered } = renderWithin(limits.list, items, (item) => `<li>${render(item)}</li>`)
  return ['<ul>', ...rendered, ...(more === 0 ? [] : [`<li>and ${formatNumber(more)} more</li>`]), '</ul>'].join('\n')
}

function link(url: string | undefined, text: string): string {
  const inside = code(text, cellLimit)
  if (url === undefined || url.length > urlLimit || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return inside
  return `<a href="${escapeHtml(new URL(url).href)}">${inside}</a>`
}

function code(text: string, limit: number): string {
  return `<code>${escapeHtml(visible(shorten(text, limit)))}</code>`
}

function htmlOf(text: Text): string {
  return render(text, { words: escapeHtml, value: (value) => `<code>${escapeHtml(value)}</code>` })
}

/** Words and numbers in which GitHub looks for nothing; not the letters of a commit's hash. */
const plainWord =
  /^(?!.*[\da-f]{7})[("“'’]*(?:[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*|\d{1,3}(?:[.,]\d{1,3})*)?[)"”'’.,;:!?…]*$/u

/** Sentences that may hold text of the service or of the user: what is in backticks, and all but plain words, is code. */
function prose(text: string): string {
  return visible(text)
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 0 ? plainProse(part) : `<code>${escapeHtml(part)}</code>`))
    .join('')
}

function plainProse(text: string): string {
  return text
    .split(' ')
    .reduce<{ plain: boolean; words: string[] }[]>((runs, word) => {
      const plain = plainWord.test(word)
      const last = runs.at(-1)
      // A stop ends what belongs together.
      if (last?.plain === plain && (plain || !/[.,;:!?]$/.test(last.words.at(-1) ?? ''))) last.words.push(word)
      else runs.push({ plain, words: [word] })
      return runs
    }, [])
    .map(({ plain, words }) => (plain ? escapeHtml(words.join(' ')) : codeInProse(words.join(' '))))
    .join(' ')
}

/** Brackets and stops around it belong to the sentence; a bracket that is closed inside belongs to the code. */
function codeInProse(text: string): string {
  const around = /^["“]*[^(]+\(/u.test(text) ? /^(["“]*)(.+?)([.,;:!?]*)$/su : /^([("“]*)(.+?)([)"”.,;:!?]*)$/su
  const [, before = '', inside = text, after = ''] = around.exec(text) ?? []
  return `${escapeHtml(before)}<code>${escapeHtml(inside)}</code>${escapeHtml(after)}`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (one) => entities[one] ?? one)
}
