// Runs as data, for the tests of what people see.
import type { DeliveredFile, DeliveredMessage, DeliveryReport } from '../../src/delivery/delivered.ts'
import type { FoundFile } from '../../src/files/files.ts'
import type { RunReport } from '../../src/report/run-report.ts'

export function foundFile(displayPath: string, size = 12_345): FoundFile {
  const name = displayPath.split('/').at(-1) ?? displayPath
  return { path: `/workspace/${displayPath}`, displayPath, name, size, dev: 1, ino: 1, pattern: 'reports/**' }
}

export function foundFiles(count: number): readonly FoundFile[] {
  return Array.from({ length: count }, (_, at) => foundFile(`reports/unit-${at + 1}.csv`, 100_000 * (at + 1)))
}

export function delivered(files: readonly FoundFile[]): readonly DeliveredFile[] {
  return files.map((file, at) => ({ file, id: `F${at + 1}`, permalink: `https://team.example/files/F${at + 1}` }))
}

/** One message for each channel with all the files. */
export function inChannels(
  files: readonly DeliveredFile[],
  states: Readonly<Record<string, DeliveredMessage['state']>>,
): readonly DeliveredMessage[] {
  return Object.entries(states).map(([id, state], at) => ({
    conversation: { id, requested: id },
    state,
    files,
    ...(state === 'posted' && {
      ts: `1760688662.90027${at}`,
      permalink: `https://team.example/archives/${id}/p176068866290027${at}`,
    }),
  }))
}

export function deliveryReport(
  status: DeliveryReport['status'],
  files: readonly DeliveredFile[],
  messages: readonly DeliveredMessage[],
  more: Partial<DeliveryReport> = {},
): DeliveryReport {
  return { status, files, messages, problems: [], warnings: [], notices: [], ...more }
}

export function runReport(more: Partial<RunReport> & Pick<RunReport, 'status'>): RunReport {
  return {
    dryRun: false,
    destination: { host: 'slack.com', method: 'external' },
    findings: [],
    problems: [],
    warnings: [],
    notices: [],
    milliseconds: 3400,
    ...more,
  }
}

/** Five files that are posted in three channels. */
export function goodRun(): RunReport {
  const files = foundFiles(5)
  const sent = delivered(files)
  return runReport({
    status: 'posted',
    found: { files, leftOut: [], unmatched: [] },
    delivery: deliveryReport('posted', sent, inChannels(sent, { C1: 'posted', C2: 'posted', D3: 'posted' })),
  })
}

/** Texts that try to be more than text. */
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
