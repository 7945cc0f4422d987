// Results of runs, for tests of reports.
import type { DeliveryResult } from '../../src/delivery/deliver.ts'
import type { FoundFile } from '../../src/files/files.ts'
import { errorProblem, notice, warning } from '../../src/problem.ts'
import type { RunResult } from '../../src/report/report.ts'
import type { DeliveredMessage, Posting, ServiceFile } from '../../src/service/service.ts'
import { text } from '../../src/text/text.ts'

export function foundFile(path: string, size = 12_345): FoundFile {
  const name = path.split('/').at(-1) ?? path
  return { real: `/workspace/${path}`, path, name, size, fingerprint: '', modifiedMilliseconds: 0 }
}

export function foundFiles(count: number): readonly FoundFile[] {
  return Array.from({ length: count }, (_, index) =>
    foundFile(`reports/unit-${index + 1}.csv`, 100_000 * (index + 1)),
  )
}

export function uploaded(files: readonly FoundFile[]): readonly ServiceFile[] {
  return files.map((file, index) => ({
    file,
    id: `F${index + 1}`,
    permalink: `https://team.example/files/F${index + 1}`,
  }))
}

/** A message with all files, and its state in each channel. */
export function message(
  files: readonly ServiceFile[],
  states: Readonly<Record<string, Posting['state']>>,
): DeliveredMessage {
  const postings = Object.entries(states).map(([id, state], index) => ({
    channel: { id, requested: id },
    state,
    ...(state === 'posted' && {
      ts: `1760688662.90027${index}`,
      permalink: `https://team.example/archives/${id}/p176068866290027${index}`,
    }),
  }))
  return { files, postings }
}

export function runReport(more: Partial<RunResult> & Pick<RunResult, 'status'>): RunResult {
  return { dryRun: false, problems: [], ...more }
}

/** A run that ended with a delivery. */
export function delivered(
  status: DeliveryResult['status'],
  messages: readonly DeliveredMessage[],
  more: Partial<DeliveryResult> = {},
): RunResult {
  const delivery = { status, messages, checks: [], problems: [], ...more }
  return runReport({ status, dryRun: status === 'dry-run', delivery })
}

/**
 * The run of a line like `partial: posted not-sent / unknown`, with the states of each message (of
 * one file) in `C1` and `C2`, or with a status alone.
 */
export function runOf(line: string): RunResult {
  const [status, messages] = line.split(': ') as [DeliveryResult['status'], string?]
  if (messages === undefined) return runReport({ status })
  const states = messages.split('/').map((ofMessage) => ofMessage.split(' ').filter(Boolean))
  const files = uploaded(foundFiles(states.length))
  const delivery = files.map((file, index) => {
    const inChannels = states[index]?.map((state, number) => [`C${number + 1}`, state])
    return message([file], Object.fromEntries(inChannels ?? []))
  })
  return delivered(status, delivery)
}

/** A run with the value in every place for text from outside. */
export function everywhere(value: string): RunResult {
  // `linkIn` of the Web API lets no other links through.
  const permalink = 'https://x.example/a'
  const files = ['', '2'].map((suffix) => ({
    file: foundFile(`${value}${suffix}`),
    id: value,
    permalink,
  }))
  const problem = errorProblem(
    'x',
    text`Response: ${value} (${value}) "${value}". ${value}, ${value}`,
  )
  const postings: readonly Posting[] = [
    { channel: { id: value, requested: value }, state: 'posted', ts: value, permalink },
    { channel: { id: value, requested: `${value}2` }, state: 'not-sent' },
  ]
  const checks = (['failed', 'unknown'] as const).map((result) => ({
    subject: value,
    result,
    name: value,
    note: text`${value}`,
  }))
  const problems = [
    problem,
    warning(problem.title, problem.text),
    notice(problem.title, problem.text),
  ]
  return {
    ...delivered('partial', [{ files, postings }], { checks, problems }),
    dryRun: true,
    found: {
      files: [foundFile(value)],
      skipped: (['credentials', 'hidden'] as const).map((reason) => ({
        path: value,
        reason,
        why: text`is ${value}`,
      })),
      unmatched: [{ pattern: value, literal: true, explanation: [text`${value}`, text`${value}`] }],
      problems: [],
    },
  }
}

/** Texts that try to be markup or commands. */
export const attacks: readonly string[] = [
  '::error::injected',
  '  ::set-output name=x::y',
  '\u200b::add-mask::x',
  ':\u200d:warning::x',
  'line\n::error::injected',
  'line\r\n::stop-commands::x',
  '%0A::error::injected',
  '##[error]injected',
  'a ##[group]injected',
  '#\u200d#[error]injected',
  '<!channel>',
  '<@U0123456789>',
  '<https://evil.example|click>',
  '[click](https://evil.example)',
  'https://evil.example/?a=1&b=2',
  'www.evil.example',
  'evil@evil.example',
  '@octocat',
  '@org/team',
  '#123',
  'org/repo#123',
  'deadbeefdeadbeef',
  '0123456789abcdef0123456789abcdef01234567',
  ':tada:',
  '*bold* _italic_ ~gone~ `code`',
  '`<!here>`',
  '> quoted',
  '| a | b |',
  '\n\n# heading\n\n- list',
  '<img src=x onerror=alert(1)>',
  '</code></td></tr></table><script>alert(1)</script>',
  '"><a href="javascript:alert(1)">x</a>',
  '&lt;!channel&gt;',
  '\u001b[31mred\u001b[0m',
  '\u202egpj.exe',
  '$x^2$',
  '![x](https://evil.example/x.png)',
]
