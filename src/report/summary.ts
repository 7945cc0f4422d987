import * as core from '@actions/core'
import type { FoundFile, FoundFiles } from '../files/files.ts'
import { type Problem, titleOf } from '../problem.ts'
import type { Finding, Posting } from '../service/service.ts'
import { formatCount, formatNumber, formatSize } from '../text/format.ts'
import { escapeInvisible, shorten } from '../text/sanitize.ts'
import { quoted, render, type Text, text } from '../text/text.ts'
import type { Log } from './log.ts'
import { channelName, shownState, stateText } from './run-log.ts'
import {
  durationOf,
  headline,
  messageLabel,
  postingsOf,
  problemsOf,
  type RunReport,
  renamedTo,
  skippedWithoutWarning,
} from './run-report.ts'
import { cannotBeWritten, whyNotWritable } from './runner-file.ts'

/** Bytes. GitHub refuses summaries over 1 MiB; nobody reads that far. */
const maxBytes = { table: 200_000, list: 50_000, problems: 50_000 } as const
const maxChannelsInCell = 100
const maxChannelsInHeading = 3
/** Characters. A name does not wrap: a long one would push the columns beside it out of sight. */
const maxCellLength = 80
const maxNameLength = 200
const maxUrlLength = 2000

/**
 * The job summary, as HTML. GitHub reads no Markdown inside an HTML block, and inside
 * `code` it looks for no mentions, emoji and references. An HTML block ends at an empty line, so it contains none.
 */
export function renderSummary(run: RunReport, stepId?: string): string {
  const problems = Map.groupBy(problemsOf(run), ({ level }) => level)
  return [
    renderHeading(run, stepId),
    renderProblems('❌', problems.get(undefined)),
    renderTable(run),
    renderFindings(run),
    renderProblems('⚠️', problems.get('warning')),
    renderProblems('ℹ️', problems.get('notice')),
    run.found === undefined ? '' : renderSkipped(run.found),
    renderEnd(run),
  ]
    .filter((block) => block !== '')
    .join('\n\n')
    .concat('\n')
}

/** Appends to the file that the runner shows as the job summary. A summary that cannot be written does not fail the run. */
export async function writeSummary(markdown: string, log: Log): Promise<void> {
  const reason = whyNotWritable('GITHUB_STEP_SUMMARY') ?? (await append(markdown))
  if (reason) log.info(`The job summary could not be written: ${quoted(reason)}`)
}

/** Returns why not. */
async function append(markdown: string): Promise<Text | undefined> {
  try {
    await core.summary.addRaw(markdown).write()
    return undefined
  } catch (error) {
    return cannotBeWritten('GITHUB_STEP_SUMMARY', error)
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

/** With the channels, and the ID of the step if it has one: a job can have several of these steps. */
function renderHeading(run: RunReport, stepId: string | undefined): string {
  const names = [...new Set(postingsOf(run.delivery).map(({ channel }) => channel.requested))]
  const shown = names.slice(0, maxChannelsInHeading).map((name) => codeHtml(name, maxCellLength))
  const more = names.length > shown.length ? ` and ${formatNumber(names.length - shown.length)} more` : ''
  const channels = shown.length === 0 ? '' : ` (${shown.join(', ')}${more})`
  const step = stepId === undefined ? '' : `${codeHtml(stepId, maxCellLength)}: `
  return `<h3>${statusIcons[run.status]} ${step}${escapeHtml(headline(run))}${channels}</h3>`
}

function renderEnd(run: RunReport): string {
  // Without base-url, everybody knows that it is Slack.
  const host = run.delivery && run.service?.some(({ kind }) => kind === 'value') ? textHtml(run.service) : undefined
  const parts = [durationOf(run), host].filter((part) => part !== undefined)
  return parts.length === 0 ? '' : `<p>${parts.join(' · ')}</p>`
}

function renderProblems(icon: string, problems: readonly Problem[] = []): string {
  const { more, rendered } = renderWithin(maxBytes.problems, problems, (problem) => {
    const body = textHtml(problem.text).replaceAll('\n', '<br>')
    return `<p>${icon} <strong>${textHtml(titleOf(problem))}</strong><br>${body}</p>`
  })
  return [...rendered, ...(more === 0 ? [] : [`<p>${icon} and ${formatNumber(more)} more</p>`])].join('\n\n')
}

function renderTable(run: RunReport): string {
  const rows: readonly Row[] =
    run.delivery === undefined
      ? (run.found?.files ?? []).map((file) => ({ files: [{ file }], postings: [] }))
      : run.delivery.messages.map((message, index, all) => ({ ...message, label: messageLabel(all, index) }))
  if (rows.length === 0) return ''

  const { more, rendered } = renderWithin(maxBytes.table, rows, (row) => renderRow(run, row))
  const left = rows.slice(rows.length - more).reduce((count, { files }) => count + files.length, 0)
  return [
    '<table>',
    '<tr><th>File</th><th>Size</th><th>Channels</th><th>State</th></tr>',
    ...rendered,
    ...(left === 0 ? [] : [`<tr><td colspan="4">and ${formatCount(left, 'more file')}</td></tr>`]),
    '</table>',
  ].join('\n')
}

/** As many of the first items as fit into `limit` bytes, and how many more there are. */
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

/** The files of one message, and the channels that they go to. */
interface Row {
  readonly files: readonly {
    readonly file: Pick<FoundFile, 'path' | 'name' | 'size'>
    readonly permalink?: string
  }[]
  readonly postings: readonly Posting[]
  readonly label?: string | undefined
}

function renderRow(run: RunReport, { files, label, postings }: Row): string {
  const span = files.length === 1 ? '' : ` rowspan="${files.length}" valign="top"`
  const shared = `<td${span}>${renderChannels(postings)}</td><td${span}>${renderState(run, postings)}${label === undefined ? '' : `<br>${label}`}</td>`
  return files
    .map(({ file, permalink }, index) => {
      const size = formatSize(file.size).replace(' ', '&nbsp;')
      const name = renamedTo(file)
      const renamed = name === undefined ? '' : `<br>as ${codeHtml(name, maxCellLength)}`
      const cells = `<td>${link(permalink, file.path)}${renamed}</td><td align="right">${size}</td>`
      return `<tr>${cells}${index === 0 ? shared : ''}</tr>`
    })
    .join('\n')
}

function renderChannels(postings: readonly Posting[]): string {
  return limited(postings.map(({ channel, permalink }) => link(permalink, channelName(channel))))
}

/** If the states differ, the channels that do not have the message are named. */
function renderState(run: RunReport, postings: readonly Posting[]): string {
  const byState = Map.groupBy(postings, shownState)
  if (byState.size === 0) return stateText('not-sent', run)
  return [...byState]
    .map(([state, those]) => {
      const label = stateText(state, run)
      if (byState.size === 1 || state === 'posted') return label
      return `${label}: ${limited(those.map(({ channel }) => codeHtml(channelName(channel), maxCellLength)))}`
    })
    .join('<br>')
}

function limited(items: readonly string[]): string {
  const more = items.length - maxChannelsInCell
  return items.slice(0, maxChannelsInCell).join(', ') + (more > 0 ? ` and ${formatNumber(more)} more` : '')
}

const findingIcons: Readonly<Record<Finding['result'], string>> = { ok: '✅', failed: '❌', unknown: '❓' }

function renderFindings({ delivery, dryRun }: RunReport): string {
  const findings = dryRun ? (delivery?.findings ?? []) : []
  const items = renderList(findings, ({ note, result, subject }) => {
    return `${findingIcons[result]} ${codeHtml(subject, maxNameLength)}${note ? `: ${textHtml(note)}` : ''}`
  })
  return items === '' ? '' : `<p>Checked</p>\n${items}`
}

function renderSkipped({ skipped, unmatched }: FoundFiles): string {
  const quiet = skippedWithoutWarning(skipped)
  const items = [
    ...quiet.map(({ path, why }) => ({ name: path, details: why })),
    ...unmatched.map(({ explanation = [], pattern }) => ({
      name: pattern,
      details: text`no file matches. ${explanation}`,
    })),
  ]
  if (items.length === 0) return ''
  const more = quiet.length < skipped.length ? 'more ' : ''
  const counts = [
    ...(quiet.length === 0 ? [] : [`${formatCount(quiet.length, `${more}skipped file`)}`]),
    ...(unmatched.length === 0 ? [] : [`${formatCount(unmatched.length, 'pattern')} without a match`]),
  ]
  const rows = renderList(
    items,
    ({ details, name }) => `${codeHtml(name, maxNameLength)}: ${textHtml(details).replaceAll('\n', ' ')}`,
  )
  return `<details><summary>${counts.join(', ')}</summary>\n${rows}\n</details>`
}

function renderList<T>(items: readonly T[], renderItem: (item: T) => string): string {
  if (items.length === 0) return ''
  const { more, rendered } = renderWithin(maxBytes.list, items, (item) => `<li>${renderItem(item)}</li>`)
  return ['<ul>', ...rendered, ...(more === 0 ? [] : [`<li>and ${formatNumber(more)} more</li>`]), '</ul>'].join('\n')
}

function link(url: string | undefined, label: string): string {
  const inside = codeHtml(label, maxCellLength)
  if (url === undefined || url.length > maxUrlLength || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return inside
  return `<a href="${escapeHtml(new URL(url).href)}">${inside}</a>`
}

function codeHtml(value: string, maxLength: number): string {
  return `<code>${escapeHtml(escapeInvisible(shorten(value, maxLength)))}</code>`
}

/** Our words contain nothing in which GitHub looks for mentions or references; values are code. */
function textHtml(from: Text): string {
  return render(from, { words: escapeHtml, value: (value) => `<code>${escapeHtml(value)}</code>` })
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
