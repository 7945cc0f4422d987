import pMap from 'p-map'
import type { FoundFile } from '../files/files.ts'
import { ProblemError, problemIn } from '../problem.ts'
import {
  type Comment,
  type Confirmation,
  type Finding,
  type Message,
  type MessagingService,
  NotOfferedError,
  type Outcome,
  type Published,
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

/** Of a fault in the middle of a delivery. */
const lookFirst = ' Look into the channel before you run the step again.'

/** Bytes. The time of a smaller file goes into round trips, so that many of them go side by side. */
const smallFile = 1_000_000
const smallAtOnce = 64
const largeAtOnce = 2

/**
 * Stages every file, then publishes the messages one after the other, the next when the former is shown or accepted.
 * Whatever happens, the report says what is known.
 *
 * @throws NotOfferedError if the server does not offer the upload method; then nothing was posted
 */
export async function deliver(plan: Plan, service: MessagingService, budget: Budget): Promise<Delivery> {
  const { commentGoesWith, filesPerMessage } = service.limits
  let ledger = new Ledger(plan.files, [], filesPerMessage)
  let findings: readonly Finding[] = []
  try {
    const conversations = await budget.settle(service.open(plan.channels))
    ledger = new Ledger(plan.files, conversations, filesPerMessage)
    const giveUp = new AbortController()
    const checking = service.check(conversations).then((found) => {
      findings = found
      for (const { problem, verdict } of found) if (verdict === 'fails' && problem) ledger.fail(problem)
      if (ledger.failed) giveUp.abort()
    })
    const staging = plan.dryRun ? [] : stageAll(plan.files, service, giveUp, budget)
    const [staged] = await budget.settle(Promise.all([staging, checking]))
    if (plan.dryRun && !ledger.failed) return { report: { ...ledger.close(), status: 'dry-run' }, findings }

    for (const [index, entry] of ledger.entries.entries()) {
      if (budget.interruption && !ledger.failed) ledger.fail(budget.interruption.problem)
      if (ledger.failed) break
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
      const outcome = await budget.settle(service.publish(message)).catch(thrown)
      if (outcome.kind === 'not-offered' && index === 0) throw new NotOfferedError(outcome.why)
      const why = outcome.kind === 'refused' ? budget.interruption?.problem : undefined
      ledger.enter(entry, why ? { kind: 'refused', why } : outcome)
      if (outcome.kind === 'published' && plan.ifNotConfirmed !== 'ignore') {
        const confirmation = await budget.settle(service.confirm(message, outcome)).catch((error: unknown) => {
          ledger.fail(problemIn(error, lookFirst))
          return notSeen(message, outcome)
        })
        ledger.confirm(entry, confirmation, plan.ifNotConfirmed)
      }
      if (budget.interruption && ledger.failed) ledger.fail(budget.interruption.problem)
    }
  } catch (error) {
    if (error instanceof NotOfferedError) throw error
    // Staging that was given up because of what is known already has nothing to add.
    if (!ledger.failed) ledger.fail(budget.interruption?.problem ?? problemIn(error, lookFirst))
  }
  return { report: ledger.close(), findings }
}

/** In the order of the files. As soon as one fails, or it is of no use any more, the others are given up. */
async function stageAll(
  files: readonly FoundFile[],
  service: MessagingService,
  giveUp: AbortController,
  budget: Budget,
): Promise<readonly StagedFile[]> {
  const signal = AbortSignal.any([giveUp.signal, budget.stopping])
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
    giveUp.abort(error)
    throw error
  }
  return files.flatMap((file) => staged.get(file) ?? [])
}

/** What becomes of a message whose publishing throws: only a problem is sure to have had no effect. */
function thrown(error: unknown): Outcome {
  const certain = error instanceof ProblemError && !(error instanceof Interrupted)
  return {
    kind: certain ? 'refused' : 'unknown',
    why: problemIn(error, lookFirst),
  }
}

/** What is known of a message that the service took, and that could not be looked at. */
function notSeen({ conversations }: Message, { files }: Published): Confirmation {
  return {
    shown: conversations.map((conversation) => ({ kind: 'not-shown', conversation, milliseconds: 0 })),
    files,
  }
}
