import type { Bot, WebhookFailure } from '@oxbow/contract'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isTemporary } from '../client/wait-to-retry.ts'
import { readRefusal } from '../text/refusal.ts'
import { type Replay, replayFailure } from './webhooks.ts'

/** The result of delivering again; `failed` if the server did not handle the delivery. */
export type ReplayOutcome = Replay | { readonly kind: 'failed'; readonly reason: string }

export interface Replays {
  /** Results of the deliveries that were replayed on this page, by the id of the failure. */
  readonly outcomes: ReadonlyMap<number, ReplayOutcome>
  /** Deliveries that are being replayed, and those that wait for it. */
  readonly waiting: readonly WebhookFailure[]
  /** Replays deliveries one after the other. Stops if the server does not answer. */
  readonly replay: (failures: readonly WebhookFailure[]) => Promise<void>
  /** Removes the reasons why deliveries were not handled. */
  readonly forgetFailed: () => void
}

/** Replays refused deliveries of a bot. Leaving the page ends it after the current delivery. */
export function useReplays(bot: Pick<Bot, 'user_id'>): Replays {
  const outcomes = useSignal<ReadonlyMap<number, ReplayOutcome>>(new Map())
  const waiting = useSignal<readonly WebhookFailure[]>([])
  useEffect(
    () => () => {
      waiting.value = []
    },
    [waiting],
  )
  const replayOne = async (failure: WebhookFailure): Promise<void> => {
    const { outcome, mayContinue } = await replayFailure(bot, failure).then(
      (outcome) => ({ outcome, mayContinue: true }),
      (error: unknown) => ({
        outcome: { kind: 'failed', reason: readRefusal(error).reason } as const,
        mayContinue: !isTemporary(error),
      }),
    )
    outcomes.value = new Map(outcomes.value).set(failure.id, outcome)
    waiting.value = mayContinue ? waiting.value.slice(1) : []
  }
  const replay = async (failures: readonly WebhookFailure[]) => {
    const isRunning = waiting.value.length > 0
    const added = failures.filter(({ id }) => !waiting.value.some((other) => other.id === id))
    waiting.value = [...waiting.value, ...added]
    if (isRunning) return
    for (let [next] = waiting.value; next; [next] = waiting.value) await replayOne(next)
  }
  const forgetFailed = () => {
    outcomes.value = new Map([...outcomes.value].filter(([, { kind }]) => kind !== 'failed'))
  }
  return { forgetFailed, outcomes: outcomes.value, waiting: waiting.value, replay }
}
