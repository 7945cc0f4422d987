import pMap from 'p-map'
import type { FoundFile } from '../files/files.ts'
import { type Problem, ProblemError } from '../problem.ts'
import {
  type Comment,
  type Finding,
  type Message,
  type MessagingService,
  NotOfferedError,
  type Outcome,
  type StagedFile,
} from '../service/service.ts'
import { type Budget, Interrupted } from '../time.ts'
import type { DeliveryReport } from './delivered.ts'
import { Ledger } from './ledger.ts'

/** What is to be delivered. */
export interface Plan {
  readonly files: readonly FoundFile[]
  /** What the user wrote. */
  readonly channels: readonly string[]
  /** What is said with these files; `undefined` for nothing. */
  readonly commentFor: (files: readonly FoundFile[]) => Comment | undefined
  readonly threadTs?: string
  /** What a message that does not show makes of the run; `ignore` does not look. */
  readonly ifNotConfirmed: 'error' | 'warn' | 'ignore'
  /** Resolve and check, and post nothing. */
  readonly dryRun: boolean
}

export interface Delivery {
  readonly report: DeliveryReport
  readonly findings: readonly Finding[]
}

/** Bytes. The time of a smaller file goes into round trips, so that many of them go side by side. */
const smallFile = 1_000_000
const smallAtOnce = 64
const largeAtOnce = 4

/**
 * Stages every file, then publishes the messages one after the other, the next when the former is shown or accepted.
 *
 * @throws NotOfferedError if the server does not offer the upload method; then nothing was posted
 */
export async function deliver(plan: Plan, service: MessagingService, budget: Budget): Promise<Delivery> {
  const { commentGoesWith, filesPerMessage } = service.limits
  let ledger = new Ledger(plan.files, [], filesPerMessage)
  let findings: readonly Finding[] = []
  try {
    const conversations = await service.open(plan.channels)
    ledger = new Ledger(plan.files, conversations, filesPerMessage)
    const [staged, found] = await Promise.all([
      plan.dryRun ? [] : stageAll(plan.files, service, budget),
      service.check(conversations),
    ])
    findings = found
    const failing = findings.flatMap(({ problem, verdict }) => (verdict === 'fails' && problem ? [problem] : []))
    if (failing.length > 0) return { report: ledger.close(failing), findings }
    if (plan.dryRun) return { report: { ...ledger.close([]), status: 'dry-run' }, findings }

    for (const [index, entry] of ledger.entries.entries()) {
      if (budget.stopping.aborted) throw new ProblemError(interrupted(budget))
      const comment =
        commentGoesWith === 'each message'
          ? plan.commentFor(entry.files.map(({ file }) => file))
          : index === 0
            ? plan.commentFor(plan.files)
            : undefined
      const message: Message = {
        conversations,
        files: staged.slice(index * filesPerMessage, (index + 1) * filesPerMessage),
        ...(comment ? { comment } : {}),
        ...(plan.threadTs === undefined ? {} : { threadTs: plan.threadTs }),
      }
      const outcome = await service.publish(message).catch(unexpected)
      if (outcome.kind === 'not-offered' && index === 0) throw new NotOfferedError(outcome.why)
      const problems = ledger.enter(entry, outcome)
      if (outcome.kind === 'published' && plan.ifNotConfirmed !== 'ignore') {
        const confirmation = await service.confirm(message, outcome)
        problems.push(...ledger.confirm(entry, confirmation, plan.ifNotConfirmed))
      }
      if (problems.length > 0) return { report: ledger.close(problems), findings }
    }
    return { report: ledger.close([]), findings }
  } catch (error) {
    if (error instanceof NotOfferedError || !(error instanceof ProblemError)) throw error
    return { report: ledger.close([budget.stopping.aborted ? interrupted(budget) : error.problem]), findings }
  }
}

/** In the order of the files. As soon as one fails the others are given up. */
async function stageAll(
  files: readonly FoundFile[],
  service: MessagingService,
  budget: Budget,
): Promise<readonly StagedFile[]> {
  const failed = new AbortController()
  const signal = AbortSignal.any([failed.signal, budget.stopping])
  const staged = new Map<FoundFile, StagedFile>()
  const stageSome = (some: readonly FoundFile[], concurrency: number) =>
    pMap(some, async (file) => staged.set(file, await service.stage(file, signal)), { concurrency })
  try {
    await Promise.all([
      stageSome(
        files.filter(({ size }) => size >= smallFile),
        largeAtOnce,
      ),
      stageSome(
        files.filter(({ size }) => size < smallFile),
        smallAtOnce,
      ),
    ])
  } catch (error) {
    failed.abort(error)
    throw error
  }
  return files.flatMap((file) => staged.get(file) ?? [])
}

/** A fault of the action itself, in the middle of a message: nobody knows what became of that. */
function unexpected(error: unknown): Outcome {
  const why = {
    title: 'The action failed in the middle of a message',
    text: `${error instanceof Error ? error.message : String(error)}\nThis is a fault of the action: please report it. Look into the channel before you run the step again.`,
  }
  return { kind: 'unknown', why }
}

function interrupted(budget: Budget): Problem {
  const { reason } = budget.stopping
  return reason instanceof Interrupted && reason.why === 'cancelled'
    ? { title: 'The run was cancelled', text: 'The step was asked to stop. Nothing was posted after that.' }
    : {
        title: 'The time of the step is over',
        text: 'Not everything could be done within timeout-minutes. Nothing was posted after that.\nRaise timeout-minutes, or see in the log what was waited for.',
      }
}
