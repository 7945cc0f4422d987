import { randomUUID } from 'node:crypto'
import { EOL } from 'node:os'
import { errorProblem, type Problem, ProblemError, uniqueProblems, warning } from '../problem.ts'
import type { DeliveredMessage, ServiceFile } from '../service/service.ts'
import { list, type Text, text } from '../text/text.ts'
import { isPosted, type Report, type RunResult } from './report.ts'
import { appendToRunnerFile } from './runner-file.ts'

/**
 * Bytes. All outputs of a job may have 1 MB, but Linux starts no step with a variable over 128 KiB.
 * https://docs.github.com/en/actions/how-tos/write-workflows/choose-what-workflows-do/pass-job-outputs
 */
const jsonLimit = 120_000

/** Unknown outputs are empty. Warns if a JSON output is cut short. */
export function renderOutputs({ messages, status }: Report) {
  const posted = postedFiles(messages)
  const first = messages.flatMap(({ postings }) => postings).find(({ ts }) => ts !== undefined)
  const lists = {
    files: shortened(posted.map(fileEntry)),
    messages: shortened(messages.flatMap(postingEntries)),
    'not-sent': shortened(notSentEntries(messages)),
  }
  const values = {
    status,
    count: String(posted.length),
    'file-ids': posted.flatMap(({ id }) => id ?? []).join(','),
    ts: first?.ts ?? '',
    channel: first?.channel.id ?? '',
    permalink: first?.permalink ?? '',
    files: lists.files.json,
    messages: lists.messages.json,
    'not-sent': lists['not-sent'].json,
  }
  const cut = Object.entries(lists).flatMap(([name, { isCut }]) => (isCut ? name : []))
  const explanation = text`Not all entries fit into an environment variable, so these outputs hold only the first ones: ${list(cut)}.`
  return {
    values,
    problems: cut.length === 0 ? [] : [warning('JSON outputs are cut short', explanation)],
  }
}

function postedFiles(messages: Report['messages']): readonly ServiceFile[] {
  return messages.flatMap(({ files, postings }) => (postings.some(isPosted) ? files : []))
}

function fileEntry({ file: { name, path, size }, id, permalink }: ServiceFile): object {
  return { path, name, size, id, permalink }
}

/** One per channel. */
function postingEntries({ files, postings }: DeliveredMessage): readonly object[] {
  const ids = files.flatMap(({ id }) => id ?? [])
  const paths = files.map(({ file }) => file.path)
  return postings.map(({ channel: { id, requested }, permalink, state, ts }) => ({
    channel: id,
    requested,
    state,
    ts,
    permalink,
    files: ids,
    paths,
  }))
}

/** Files that are certainly in no channel. */
function notSentEntries(messages: Report['messages']): readonly object[] {
  const notSent = messages.filter(({ postings }) =>
    postings.every(({ state }) => state === 'not-sent'),
  )
  return notSent.flatMap(({ files }) =>
    files.map(({ file: { name, path, title } }) => ({ path, name, title })),
  )
}

function shortened(entries: readonly object[]): { readonly json: string; readonly isCut: boolean } {
  const taken: string[] = []
  let bytes = 2
  for (const entry of entries) {
    const json = JSON.stringify(entry)
    bytes += Buffer.byteLength(json) + 1
    if (bytes > jsonLimit) break
    taken.push(json)
  }
  return { json: `[${taken.join(',')}]`, isCut: taken.length < entries.length }
}

/**
 * Writes a `status` that stays if the process is killed. An empty text would fit on a full disk.
 */
export function requireOutputFile(): void {
  const reason = appendToRunnerFile('GITHUB_OUTPUT', `status=unknown${EOL}`)
  if (reason) throw new ProblemError(notWrittenProblem(reason, { status: 'failed' }))
}

/** Adds a problem if outputs are missing, since later steps would see nothing posted. */
export function setOutputs(report: Report): Report {
  const { problems, values } = renderOutputs(report)
  // https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#multiline-strings
  const delimiter = `ghadelimiter_${randomUUID()}`
  const lines = Object.entries(values).map(([name, value]) =>
    [`${name}<<${delimiter}`, value, delimiter, ''].join(EOL),
  )
  const reason = appendToRunnerFile('GITHUB_OUTPUT', lines.join(''))
  const lacking = reason ? [notWrittenProblem(reason, report)] : problems
  return { ...report, problems: uniqueProblems([...report.problems, ...lacking]) }
}

function notWrittenProblem(reason: Text, { status }: Pick<RunResult, 'status'>): Problem {
  const succeeded = status === 'posted' || status === 'accepted'
  const posted = succeeded ? text` Everything was posted: another run would post it again.` : text``
  return errorProblem(
    'The outputs cannot be written',
    text`${reason}. Later steps see no outputs.${posted}\nThe runner creates this file for the step. Did a step change it or its variable, or is the disk full?`,
  )
}
