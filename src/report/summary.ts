import type { Problem } from '../problem.ts'
import type { DeliveredMessage, Posting } from '../service/service.ts'
import { formatCount, formatList, formatSize } from '../text/format.ts'
import { escapeInvisible, shorten } from '../text/sanitize.ts'
import { quoted, render, type Text } from '../text/text.ts'
import { documentation, runnerLog as log } from './log.ts'
import { filesIn, type Report, renamedTo, stateIn, stateTexts, titleIn } from './report.ts'
import { appendToRunnerFile } from './runner-file.ts'

/** Bytes. Files beyond are only counted, because GitHub refuses a summary over 1 MiB. */
const maxTableBytes = 160_000
/** In the heading. */
const maxChannels = 3
/** Characters. A longer name would not wrap, and push other columns out of sight. */
const maxNameLength = 80

/** Never fails the step. */
export function writeSummary(report: Report): void {
  const reason = appendToRunnerFile('GITHUB_STEP_SUMMARY', renderSummary(report))
  if (reason) log.info(`The job summary could not be written: ${quoted(reason)}`)
}

/**
 * As HTML: GitHub reads no Markdown in a block of HTML, which ends at an empty line, and no
 * mentions, emoji or references in `code`.
 */
export function renderSummary(report: Report): string {
  const problems = (['error', 'warning', 'notice'] as const).flatMap((level) =>
    report.problems.filter((problem) => problem.level === level),
  )
  const blocks = [renderHeading(report), ...problems.map(renderProblem), renderTable(report)]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

const statusIcons: Readonly<Record<Report['status'], string>> = {
  posted: '✅',
  accepted: '☑️',
  skipped: '⏭️',
  'dry-run': '🧪',
  partial: '⚠️',
  unknown: '❓',
  failed: '❌',
}

/** Names the channels, since a job can have several such steps. */
function renderHeading(report: Report): string {
  const channels = new Set(
    report.messages.flatMap(({ postings }) =>
      postings.map((posting) => codeHtml(titleIn(report, posting))),
    ),
  )
  const names = formatList([...channels], maxChannels)
  const where = names === '' ? '' : ` (${names})`
  return `<h3>${statusIcons[report.status]} ${escapeHtml(report.headline)}${where}</h3>`
}

const problemIcons = { error: '❌', warning: '⚠️', notice: 'ℹ️' } as const

function renderProblem(problem: Problem): string {
  const icon = problemIcons[problem.level]
  const page = documentation(problem)
  const more = page.startsWith('https:')
    ? `<a href="${escapeHtml(page)}">Documentation</a>`
    : escapeHtml(page)
  const body = textHtml(problem.text).replaceAll('\n', '<br>')
  return `<p>${icon} <strong>${escapeHtml(problem.title)}</strong><br>${body}${more && `<br>${more}`}</p>`
}

function renderTable(report: Report): string {
  const { messages } = report
  if (messages.length === 0) return ''
  const lines = ['<table>', '<tr><th>File</th><th>Size</th><th>Channels</th><th>State</th></tr>']
  let bytes = 0
  for (const [index, message] of messages.entries()) {
    const rows = renderRows(message, report)
    bytes += Buffer.byteLength(rows)
    if (bytes > maxTableBytes) {
      const more = formatCount(filesIn(messages.slice(index)), 'more file')
      lines.push(`<tr><td colspan="4">and ${more}</td></tr>`)
      break
    }
    lines.push(rows)
  }
  return [...lines, '</table>'].join('\n')
}

function renderRows({ files, postings }: DeliveredMessage, report: Report): string {
  const span = files.length <= 1 ? '' : ` rowspan="${files.length}" valign="top"`
  const channels = postings.map((posting) => link(posting.permalink, titleIn(report, posting)))
  const shared = `<td${span}>${channels.join(', ')}</td><td${span}>${renderState(postings, report) || stateTexts['not-sent']}</td>`
  if (files.length === 0) return `<tr><td>no files</td><td></td>${shared}</tr>`
  return files
    .map(({ file, permalink }, index) => {
      const size = formatSize(file.size).replace(' ', '&nbsp;')
      const name = renamedTo(file)
      const renamed = name && `<br>as ${codeHtml(name)}`
      const cells = `<td>${link(permalink, file.path)}${renamed}</td><td align="right">${size}</td>`
      return `<tr>${cells}${index === 0 ? shared : ''}</tr>`
    })
    .join('\n')
}

/** If the states differ, names the channels without the message. */
function renderState(postings: readonly Posting[], report: Report): string {
  const byState = Map.groupBy(postings, (posting) => stateIn(report, posting))
  const states = [...byState].map(([stateText, group]) => {
    if (byState.size === 1 || stateText === 'posted') return stateText
    return `${stateText}: ${group.map((posting) => codeHtml(titleIn(report, posting))).join(', ')}`
  })
  return states.join('<br>')
}

function link(url: string | undefined, label: string): string {
  const inside = codeHtml(label)
  return url === undefined ? inside : `<a href="${escapeHtml(url)}">${inside}</a>`
}

function codeHtml(value: string): string {
  return `<code>${escapeHtml(escapeInvisible(shorten(value, maxNameLength)))}</code>`
}

/** Our words contain no mentions or references; values are code. */
function textHtml(from: Text): string {
  return render(from, { words: escapeHtml, value: (value) => `<code>${escapeHtml(value)}</code>` })
}

function escapeHtml(from: string): string {
  return from.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
