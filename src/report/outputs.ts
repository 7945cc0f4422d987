import * as core from '@actions/core'
import type { Problem } from '../problem.ts'
import { code, text } from '../text/text.ts'
import { postedFiles, postingsOf, type RunReport } from './run-report.ts'
import { requireRegularFile } from './runner-file.ts'

export type OutputName = 'status' | 'count' | 'file-ids' | 'ts' | 'permalink' | 'files' | 'messages'

export interface RenderedOutputs {
  /** All of them, always; an empty string for what is unknown. */
  readonly values: Readonly<Record<OutputName, string>>
  /** A JSON output that does not hold everything. */
  readonly problems: readonly Problem[]
}

/**
 * Bytes. The outputs of a job may hold 1 MB together, https://docs.github.com/en/actions/how-tos/write-workflows/choose-what-workflows-do/pass-job-outputs,
 * but on Linux a step that reads one of them through `env:` does not start if it is over 128 KiB.
 */
const jsonLimit = 120_000

export function renderOutputs(run: RunReport): RenderedOutputs {
  const posted = postedFiles(run)
  const postings = postingsOf(run.delivery)
  const first = postings.find(({ ts }) => ts !== undefined) ?? postings.find(({ permalink }) => permalink !== undefined)
  const files = jsonList(
    'files',
    posted.map(({ earlier, file, id, permalink }) => ({
      path: file.path,
      name: file.name,
      size: file.size,
      id,
      permalink,
      ...(earlier && { earlier }),
    })),
  )
  const messages = jsonList(
    'messages',
    postings.map(({ channel, earlier, files: inMessage, permalink, state, ts }) => ({
      channel: channel.id,
      requested: channel.requested,
      state,
      ts,
      permalink,
      files: inMessage.flatMap(({ id }) => id ?? []),
      paths: inMessage.map(({ file }) => file.path),
      ...(earlier && { earlier }),
    })),
  )
  return {
    values: {
      status: run.status,
      count: String(posted.length),
      'file-ids': posted.flatMap(({ id }) => id ?? []).join(','),
      ts: first?.ts ?? '',
      permalink: first?.permalink ?? '',
      files: files.json,
      messages: messages.json,
    },
    problems: [...files.problems, ...messages.problems],
  }
}

export function setOutputs(outputs: RenderedOutputs): void {
  requireRegularFile('GITHUB_OUTPUT')
  for (const [name, value] of Object.entries(outputs.values)) core.setOutput(name, value)
}

function jsonList(name: OutputName, entries: readonly object[]): { json: string; problems: readonly Problem[] } {
  const taken: string[] = []
  let bytes = 2
  for (const entry of entries) {
    const json = JSON.stringify(entry)
    bytes += Buffer.byteLength(json) + 1
    if (bytes > jsonLimit) break
    taken.push(json)
  }
  if (taken.length === entries.length) return { json: `[${taken.join(',')}]`, problems: [] }
  const warning: Problem = {
    level: 'warning',
    title: 'A JSON output is cut short',
    text: text`The output ${code(name)} holds the first ${taken.length} of ${entries.length} entries: more do not fit into an environment variable.`,
  }
  return { json: `[${taken.join(',')}]`, problems: [warning] }
}
