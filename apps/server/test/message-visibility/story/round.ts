import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@oxbow/contract'
import { startStopwatch } from '@oxbow/testkit'
import { type Model, type Name, noChanges } from '../model/model.ts'
import type { HeldSend } from '../server/held-send.ts'
import type { Transaction } from '../server/log.ts'
import type { TestedServer } from '../server/tested-server.ts'
import { applyFromLog } from './from-log.ts'
import type { Plan } from './plan.ts'
import type { RandomAction } from './random-action.ts'
import { replay, type Step } from './replay.ts'

interface Outcome {
  plan: Plan
  response?: unknown
  refusal?: ApiError
}

export interface Round {
  model: Model
  outcomes: Outcome[]
  /** Users whose queues ended with their accounts. */
  deactivated: Set<Name>
}

/**
 * Milliseconds for which the commit of a held message is delayed, while other actions run. Actions
 * that lock its stream exclusively wait for the commit.
 */
const heldSendMs = 25

/**
 * Runs all actions concurrently on both nodes, then applies them to the model and the journal in log
 * order.
 */
export async function playRound(
  server: TestedServer,
  model: Model,
  actions: readonly RandomAction[],
  serial: number,
  journal: string[],
): Promise<Round> {
  const plans = planRound(server, model, actions, serial)
  const outcomes = await failIfSlow(server, attemptAll(server, plans), plans)
  await failIfSlow(server, server.settle(), plans)

  const transactions = await server.log.takeTransactions()
  const steps = matchTransactions(server, transactions, outcomes)
  const states = replay({ ...model, expectedEvents: [], changes: noChanges() }, steps, journal)
  for (const outcome of outcomes) {
    checkRefusal(outcome, states)
    if (!outcome.refusal) await outcome.plan.check?.(outcome.response, states)
  }
  const deactivated = new Set(
    transactions
      .flat()
      .flatMap(({ header }) =>
        (header.effects ?? []).flatMap((effect) =>
          effect.kind === 'role' && effect.role === null ? [server.personOf(effect.user)] : [],
        ),
      ),
  )
  return { model: states.at(-1) as Model, outcomes, deactivated }
}

function planRound(
  server: TestedServer,
  model: Model,
  actions: readonly RandomAction[],
  serial: number,
): Plan[] {
  const unsettled = new Set(actions.flatMap((action) => action.unsettles(model)))
  const taken = new Set<string>()
  return actions.flatMap((action, index) => {
    const plan = action.plan({ model, server, unsettled, serial: serial + index })
    const key = plan && uniqueKey(plan)
    if (!plan || (key !== undefined && taken.has(key))) return []
    if (key !== undefined) taken.add(key)
    return [plan]
  })
}

/**
 * Returns a key for actions that could not be distinguished in the log. Of several actions with the
 * same key, only the first runs in a round.
 */
function uniqueKey({ kind, by }: Plan): string | undefined {
  switch (kind) {
    case 'flag':
    case 'mark':
      return `flag ${by}`
    case 'edit topic':
    case 'move':
      return `place ${by}`
    case 'delete':
    case 'delete topic':
      return 'delete'
    default:
      return undefined
  }
}

async function attemptAll(server: TestedServer, plans: readonly Plan[]): Promise<Outcome[]> {
  const held: HeldSend[] = []
  const outcomes: Promise<Outcome>[] = []
  for (const plan of plans) {
    if (!plan.hold) continue
    const send = plan.hold(server)
    held.push(send)
    outcomes.push(attempt(plan, send.response))
    await Promise.race([send.isReady, sleep(heldSendMs)])
  }
  const others = plans.filter((plan) => !plan.hold)
  outcomes.push(...others.map((plan) => attempt(plan, plan.call(server.client(plan.by, plan.at)))))
  if (held.length > 0) await sleep(heldSendMs)
  for (const send of held) send.release()
  return Promise.all(outcomes)
}

/** Milliseconds of a round without a stopwatch, which would slow down rounds of the usual length. */
const unmeasuredMs = 5_000
/** Maximum milliseconds after `unmeasuredMs`, without the time for which the machine stood still. */
const maxMeasuredMs = 15_000

/** Fails with a list of the database's lock waits if the work takes too long. */
async function failIfSlow<Result>(
  server: TestedServer,
  work: Promise<Result>,
  plans: readonly Plan[],
): Promise<Result> {
  const ended = new AbortController()
  const { signal } = ended
  const late = sleep(unmeasuredMs, undefined, { signal }).then(async () => {
    await using stopwatch = startStopwatch(server.world.database)
    while (stopwatch.elapsedMs() < maxMeasuredMs) await sleep(100, undefined, { signal })
    const waiting = await server.world.database.query(
      `select pid, pg_blocking_pids(pid) as by, left(query, 300) as query from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    const labels = plans.map(({ label }) => label)
    throw new Error(`this takes too long: ${JSON.stringify(labels)}, waiting: ${JSON.stringify(waiting)}`)
  })
  late.catch(() => {})
  return Promise.race([work, late]).finally(() => ended.abort())
}

async function attempt(plan: Plan, call: Promise<unknown>): Promise<Outcome> {
  try {
    return { plan, response: await call }
  } catch (refusal) {
    if (!(refusal instanceof ApiError) || refusal.status >= 500) throw refusal
    return { plan, refusal }
  }
}

/** Matches each transaction of the log with a planned action, or with a change of users and streams. */
function matchTransactions(
  server: TestedServer,
  transactions: readonly Transaction[],
  outcomes: readonly Outcome[],
): Step[] {
  const open = new Set(outcomes.filter(({ plan, refusal }) => plan.effect && !refusal))
  const steps = transactions.map((transaction): Step => {
    const found = [...open].find(({ plan, response }) => plan.effect?.isIn(transaction, response))
    if (!found?.plan.effect) return applyFromLog(server, transaction)
    open.delete(found)
    const { plan, response } = found
    const { effect } = found.plan
    return {
      label: plan.label + named(response),
      isPossible: effect.isPossible,
      mayBeLate: effect.mayBeLate ?? false,
      apply: (model) => effect.apply(model, transaction, response),
    }
  })
  const silent = [...open].filter(({ plan }) => !mayBeSilent(plan))
  assert.deepEqual(
    silent.map(({ plan }) => plan.label),
    [],
    'this was done, and the log tells nothing of it',
  )
  return steps
}

const named = (response: unknown): string => {
  const { id } = response as { id?: number }
  return id === undefined ? '' : ` (${id})`
}

/** Returns whether the action may write nothing to the log, because its topic has no messages left. */
const mayBeSilent = ({ kind }: Plan) => kind === 'delete topic'

/**
 * Asserts that a user who could read a message the whole time did not get the error that it does
 * not exist.
 */
function checkRefusal({ plan, refusal }: Outcome, states: readonly Model[]): void {
  if (!refusal?.is('INVALID_MESSAGE') || !plan.effect) return
  const { isPossible } = plan.effect
  assert.ok(!states.every(isPossible), `${plan.label} was refused: ${refusal.message}`)
}
