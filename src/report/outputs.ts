import * as core from '@actions/core'
import type { Problem } from '../problem.ts'
import { formatNumber } from '../text/format.ts'
import { postedFiles, type RunReport } from './run-report.ts'
import { requireRegularFile } from './runner-file.ts'

export type OutputName = 'status' | 'count' | 'file-ids' | 'ts' | 'permalink' | 'files' | 'messages'

export interface RenderedOutputs {
  /** All of them, always; empty text for what is not known. */
  readonly values: Readonly<Record<OutputName, string>>
  /** A JSON output that did not take everything. */
  readonly warnings: readonly Problem[]
}

/**
 * Bytes. The outputs of a job may hold 1 MB together, https://docs.github.com/en/actions/how-tos/write-workflows/choose-what-workflows-do/pass-job-outputs,
 * but a step that takes one of them by `env:` does not start on Linux when it is over 128 KiB.
 */
const jsonLimit = 120_000

export function renderOutputs(run: RunReport): RenderedOutputs {
  const { delivery, status } = run
  const posted = delivery === undefined ? [] : postedFiles(delivery)
  const messages = delivery?.messages ?? []
  const first = messages.find(({ ts }) => ts !== undefined) ?? messages.find(({ permalink }) => permalink !== undefined)
  const files = jsonList(
    'files',
    posted.map(({ file, id, permalink }) => ({
      path: file.displayPath,
      name: file.name,
      size: file.size,
      id,
      permalink,
    })),
  )
  const messageList = jsonList(
    'messages',
    messages.map(({ conversation, files: inMessage, permalink, state, ts }) => ({
      channel: conversation.id,
      requested: conversation.requested,
      state,
      ts,
      permalink,
      files: inMessage.flatMap(({ id }) => id ?? []),
      paths: inMessage.map(({ file }) => file.displayPath),
    })),
  )
  return {
    values: {
      status,
      count: String(posted.length),
      'file-ids': posted.flatMap(({ id }) => id ?? []).join(','),
      ts: first?.ts ?? '',
      permalink: first?.permalink ?? '',
      files: files.json,
      messages: messageList.json,
    },
    warnings: [...files.warnings, ...messageList.warnings],
  }
}

export function setOutputs(outputs: RenderedOutputs): void {
  requireRegularFile('GITHUB_OUTPUT')
  for (const [name, value] of Object.entries(outputs.values)) core.setOutput(name, value)
}

function jsonList(name: OutputName, entries: readonly object[]): { json: string; warnings: readonly Problem[] } {
  const taken: string[] = []
  let bytes = 2
  for (const entry of entries) {
    const json = JSON.stringify(entry)
    bytes += Buffer.byteLength(json) + 1
    if (bytes > jsonLimit) break
    taken.push(json)
  }
  const warning = {
    title: `The output "${name}" is cut short`,
    text: `It holds the first ${formatNumber(taken.length)} of ${formatNumber(entries.length)} entries: more would not fit into an environment variable.`,
  }
  return { json: `[${taken.join(',')}]`, warnings: taken.length === entries.length ? [] : [warning] }
}
