// What the action relies on of GitHub's runner, and where its source says so: the last table of
// docs/evidence.md.
import { link } from './questions.ts'

export const runnerVersion = '2.336.0'

export interface RunnerFact {
  readonly fact: string
  /** Paths in actions/runner. */
  readonly sources: readonly string[]
  /** What the action does because of it, if no other page says so. */
  readonly action?: string
}

/** Of actions/runner, as links. */
export const sourceLinks = ({ sources }: RunnerFact) =>
  sources.map((path) =>
    link(
      path.replace(/^.*\//, ''),
      `https://github.com/actions/runner/blob/v${runnerVersion}/src/${path}`,
    ),
  )

export const runnerFacts: readonly RunnerFact[] = [
  {
    fact: 'Node 24 comes with 2.327.1. An older runner refuses the action; on 32-bit ARM, the newest starts it on Node 20.',
    sources: ['Runner.Common/Util/NodeUtil.cs'],
    action:
      'The action then ends with one error. It ran on Node 24.4.0, the first that a runner brings.',
  },
  {
    fact: 'An input becomes `INPUT_…` in upper case, with dashes; an undeclared one too, with a warning. One that is left out has its default.',
    sources: [
      'Runner.Worker/Handlers/Handler.cs',
      'Runner.Worker/ActionRunner.cs',
      'Runner.Worker/action_yaml.json',
    ],
  },
  {
    fact: 'Until the job ends, `RUNNER_TEMP` contains the event, and the command files and scripts of all steps, with secrets.',
    sources: [
      'Runner.Worker/FileCommandManager.cs',
      'Runner.Worker/ExecutionContext.cs',
      'Runner.Worker/TempDirectoryManager.cs',
      'Runner.Worker/Handlers/ScriptHandler.cs',
    ],
  },
  {
    fact: 'A runner with a proxy sets `http_proxy`, `https_proxy` and `no_proxy` in both spellings for every step.',
    sources: ['Runner.Sdk/RunnerWebProxy.cs', 'Runner.Worker/Container/ContainerInfo.cs'],
  },
  {
    fact: 'In a job with `container:`, a path in `env` is translated only at the start of the value.',
    sources: ['Runner.Worker/Container/ContainerInfo.cs'],
  },
  {
    fact: 'A cancellation sends SIGINT, SIGTERM after 7.5 s, and kills after 2.5 s more. So does `timeout-minutes` of the step.',
    sources: ['Runner.Sdk/ProcessInvoker.cs', 'Runner.Worker/StepsRunner.cs'],
  },
  {
    fact: 'A process in a container gets no signal, and is removed within seconds. A step with `if: always()` gets one only if the runner itself stops.',
    sources: ['Runner.Worker/ContainerOperationProvider.cs', 'Runner.Worker/StepsRunner.cs'],
  },
  {
    fact: 'Outputs are UTF-8, may have several lines, and count after a cancellation. One that may contain a secret is dropped with a warning.',
    sources: ['Runner.Worker/FileCommandManager.cs', 'Runner.Worker/JobExtension.cs'],
  },
  {
    fact: "A job summary of more than 1 MiB is dropped with an error. Other steps' summaries stay, and the step does not fail.",
    sources: ['Runner.Worker/FileCommandManager.cs'],
    action: 'The action ends its table at 160 KB.',
  },
  {
    fact: 'A step shows 10 annotations of each level, and 4,096 characters of each.',
    sources: ['Runner.Worker/ExecutionContext.cs'],
    action:
      'The action makes one annotation of problems with the same cause. The longest that was provoked has 3,658 characters.',
  },
  {
    fact: '`add-mask` hides a value and each of its lines, and some of its encoded forms. Seen: the password of a proxy in Basic authentication.',
    sources: ['Runner.Common/HostContext.cs'],
  },
  {
    fact: 'A line that begins with `::`, or has `##[` anywhere, is a command.',
    sources: ['Runner.Worker/Handlers/OutputManager.cs'],
  },
]
