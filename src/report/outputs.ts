import { randomUUID } from 'node:crypto'
import { appendFileSync, statSync } from 'node:fs'
import { EOL } from 'node:os'
import { type Problem, ProblemError, warning } from '../problem.ts'
import { code, type Text, text } from '../text/text.ts'
import { isPosted, type Report, type RunResult } from './report.ts'

/**
 * Bytes. The outputs of a job may hold 1 MB together, https://docs.github.com/en/actions/how-tos/write-workflows/choose-what-workflows-do/pass-job-outputs,
 * but on Linux a step that reads one of them through `env:` does not start if it is over 128 KiB.
 */
const jsonLimit = 120_000

/** All outputs, always, with an empty string for what is unknown; and a warning for each JSON output that does not hold everything. */
export function renderOutputs({ messages, status }: Report) {
  const uploads = messages
    .filter(({ postings }) => postings.some(isPosted))
    .flatMap(({ earlier, files }) => files.map((upload) => ({ ...upload, earlier })))
  // The later upload of a file that two attempts uploaded.
  const posted = [...new Map(uploads.map((upload) => [upload.file, upload])).values()]
  const postings = messages.flatMap((message) => message.postings.map((posting) => ({ ...posting, in: message.files })))
  const first = postings.find(({ ts }) => ts !== undefined) ?? postings.find(({ permalink }) => permalink !== undefined)
  const fileList = jsonList(
    'files',
    posted.map(({ earlier, file: { name, path, size }, id, permalink }) => ({
      ...{ path, name, size, id, permalink },
      earlier: earlier || undefined,
    })),
  )
  const messageList = jsonList(
    'messages',
    postings.map(({ channel, earlier, in: files, permalink, state, ts }) => ({
      ...{ channel: channel.id, requested: channel.requested, state, ts, permalink },
      files: files.flatMap(({ id }) => id ?? []),
      paths: files.map(({ file }) => file.path),
      earlier,
    })),
  )
  const notSent = Map.groupBy(
    messages.flatMap(({ files, postings: places }) => files.map(({ file: { path } }) => ({ path, places }))),
    ({ path }) => path,
  )
  const notSentList = jsonList(
    'not-sent',
    Array.from(notSent)
      .filter(([, those]) => those.every(({ places }) => places.every(({ state }) => state === 'not-sent')))
      .map(([path]) => ({ path })),
  )
  return {
    values: {
      status,
      count: String(posted.length),
      'file-ids': posted.flatMap(({ id }) => id ?? []).join(','),
      ts: first?.ts ?? '',
      permalink: first?.permalink ?? '',
      files: fileList.json,
      messages: messageList.json,
      'not-sent': notSentList.json,
    },
    problems: [fileList, messageList, notSentList].flatMap(({ problems }) => problems),
  }
}

/** @throws ProblemError if the outputs could not be written: checked before anything is posted that the next run would post again */
export function requireOutputFile(): void {
  const reason = process.env['GITHUB_OUTPUT'] ? appendToRunnerFile('GITHUB_OUTPUT', '') : undefined
  if (reason) throw new ProblemError(notWritten(reason, { status: 'failed' }))
}

/** Writes all outputs. Returns what later steps must do without. */
export function setOutputs(report: Report): readonly Problem[] {
  const { problems, values } = renderOutputs(report)
  if (!process.env['GITHUB_OUTPUT']) return problems
  // https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#multiline-strings
  const delimiter = `ghadelimiter_${randomUUID()}`
  const lines = Object.entries(values).map(([name, value]) => [`${name}<<${delimiter}`, value, delimiter, ''].join(EOL))
  const reason = appendToRunnerFile('GITHUB_OUTPUT', lines.join(''))
  return reason ? [notWritten(reason, report)] : problems
}

function notWritten(reason: Text, { delivery, status }: Pick<RunResult, 'delivery' | 'status'>): Problem {
  const succeeded = status === 'posted' || status === 'accepted'
  const again = delivery?.rerunPostsMissing ? text`a re-run posts nothing again` : text`another run posts it again`
  const posted = succeeded ? text` Everything was posted, and ${again}.` : text``
  return {
    title: 'The outputs cannot be written',
    text: text`${reason}. Later steps see no outputs.${posted}\nThe runner makes this file for the step. Did a step change it or its variable, or is the disk full?`,
  }
}

function jsonList(name: string, entries: readonly object[]): { json: string; problems: readonly Problem[] } {
  const taken: string[] = []
  let bytes = 2
  for (const entry of entries) {
    const json = JSON.stringify(entry)
    bytes += Buffer.byteLength(json) + 1
    if (bytes > jsonLimit) break
    taken.push(json)
  }
  const list = `[${taken.join(',')}]`
  if (taken.length === entries.length) return { json: list, problems: [] }
  const explanation = text`The output ${code(name)} holds the first ${taken.length} of ${entries.length} entries: more do not fit into an environment variable.`
  return { json: list, problems: [warning('A JSON output is cut short', explanation)] }
}

/** Appends the content to the file that a variable of the runner names, or nothing. Returns why not, without a full stop. */
export function appendToRunnerFile(name: 'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY', content: string): Text | undefined {
  const path = process.env[name]
  if (!path) return text`${code(name)} is not set`
  try {
    // Before it is opened: opening a pipe that nobody reads would block the step.
    if (!statSync(path).isFile()) return text`${code(name)} is ${path}, which is not a regular file`
    appendFileSync(path, content)
    return undefined
  } catch (error) {
    return text`${code(name)} is ${path}, which cannot be written (${String((error as NodeJS.ErrnoException).code ?? error)})`
  }
}
