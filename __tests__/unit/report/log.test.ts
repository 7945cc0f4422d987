import { describe, expect, test } from '@jest/globals'
import { errorProblem } from '../../../src/problem.ts'
import { runnerLog, withoutCommands } from '../../../src/report/log.ts'
import { text, words } from '../../../src/text/text.ts'
import { withEnvironment } from '../../support/environment.ts'
import fc, { anyString } from '../../support/fast-check.ts'
import { grid } from '../../support/grid.ts'
import { attacks } from '../../support/report-runs.ts'
import { commandsIn, stdoutOf } from '../../support/stdout.ts'

describe('a line of the log', () => {
  test('is printed so that nothing in it is a command, or cannot be seen', async () => {
    const lines = `
::error::x
  ::error::x
##[error]x
name ##[group]x
a⏎b\r\tc
\u001b[31mred
\u202egpj.exe
a\u2028b
C:\\x, std::vector, # [x], #1
größe 🏳️‍🌈 می‌خواهم %0A
`
    const printed = (line: string) => stdoutOf(() => runnerLog.info(line)).slice(0, -1)
    expect(await grid(lines, printed)).toMatchInlineSnapshot(`
"::error::x
    : :error::x
  ::error::x
      : :error::x
##[error]x
    # #[error]x
name ##[group]x
    name # #[group]x
a⏎b<d><9>c
    a\\nb\\r\\tc
<1b>[31mred
    \\u{1b}[31mred
<202e>gpj.exe
    \\u{202e}gpj.exe
a<2028>b
    a\\u{2028}b
C:\\x, std::vector, # [x], #1
größe 🏳️<200d>🌈 می<200c>خواهم %0A"
`)
  })

  test('is never a workflow command, whatever it holds', () => {
    const pieces = fc.constantFrom(...':#[] \n\u200b\u200d\u00a0\u0301', '::', '##', 'error', '%0A')
    const anyText = fc.oneof(fc.constantFrom(...attacks), anyString(), fc.string({ unit: pieces }))
    fc.assert(
      fc.property(anyText, (line) => {
        expect(commandsIn(withoutCommands(line))).toEqual([])
      }),
    )
  })

  test('is a debug line only when step debug logging is on', () => {
    // Tests do not inherit RUNNER_DEBUG.
    const written = () => stdoutOf(() => runnerLog.debug('a\n::error::b %'))
    expect(written()).toBe('')
    expect(withEnvironment({ RUNNER_DEBUG: '1' }, written)).toBe('::debug::a\\n::error::b %25\n')
  })
})

describe('a list', () => {
  test('of more than ten lines is folded', () => {
    const lines = Array.from({ length: 11 }, (_, index) => `file ${index}`)
    const ten = lines.slice(1)
    expect(stdoutOf(() => runnerLog.list('Found 10', ten))).toBe(
      `${['Found 10', ...ten].join('\n  ')}\n`,
    )
    const group = ['::group::Found 11', ...lines, '::endgroup::', '']
    expect(stdoutOf(() => runnerLog.list('Found 11', lines))).toBe(group.join('\n'))
    expect(stdoutOf(() => runnerLog.list('of ##[error]x', []))).toBe('of # #[error]x\n')
  })
})

describe('a problem', () => {
  test.each(['error', 'warning', 'notice'] as const)(
    'is one annotation with a title: %s',
    (level) => {
      const problem = {
        title: 'The app: not in, 100 %',
        text: text`${'C1'}: ${'not_in_channel'}.\nInvite the app.`,
      }
      expect(stdoutOf(() => runnerLog.problem({ ...problem, level }))).toBe(
        `::${level} title=The app%3A not in%2C 100 %25::\`C1\`: \`not_in_channel\`.%0AInvite the app.\n`,
      )
    },
  )

  test.each(attacks)('prints no other command, in title and text: %j', (attack) => {
    // Also outside of a value, because the log must not rely on backticks.
    const hostile = text`first\n${attack}\n${words(attack)}`
    const output = stdoutOf(() => runnerLog.problem(errorProblem(attack, hostile)))
    const [line = '', ...rest] = output.split('\n')
    expect(rest).toEqual([''])
    expect(line).toMatch(/^::error title=/)
    // The log, after the runner has undone the escapes.
    const printed = line
      .slice(line.indexOf('::', 2) + 2)
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%25', '%')
    expect(commandsIn(printed)).toEqual([])
  })
})
