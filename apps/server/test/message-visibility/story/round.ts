import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@oxbow/contract'
import { type Model, type Name, noMotion } from '../model/model.ts'
import type { HeldSend } from '../server/held-send.ts'
import type { Transaction } from '../server/log.ts'
import type { Real } from '../server/real.ts'
import { applyFromLog } from './from-log.ts'
import type { Plan } from './plan.ts'
import { replay, type Step } from './replay.ts'
import type { Wish } from './wish.ts'

export interface Outcome {
  plan: Plan
  answer?: unknown
  refusal?: ApiError
}

export interface Round {
  model: Model
  outcomes: Outcome[]
  /** Whose queues ended with their accounts. */
  deactivated: Set<Name>
}

/** How long a held message waits for what others do meanwhile; who needs its stream alone waits for it in turn. */
const patience = 25

/** Everything at once, on both nodes; then the model is told in the order of the log, and the journal too. */
export async function playRound(
  real: Real,
  model: Model,
  wishes: readonly Wish[],
  serial: number,
  journal: string[],
): Promise<Round> {
  const plans = planRound(real, model, wishes, serial)
  const outcomes = await inTime(real, attemptAll(real, plans), plans)
  await inTime(real, real.settle(), plans)

  const transactions = await real.log.takeTransactions()
  const steps = matchUp(real, transactions, outcomes)
  const states = replay({ ...model, told: [], motion: noMotion() }, steps, journal)
  for (const outcome of outcomes) {
    checkRefusal(outcome, states)
    if (!outcome.refusal) await outcome.plan.check?.(outcome.answer, states)
  }
  const deactivated = new Set(
    transactions
      .flat()
      .flatMap(({ header }) =>
        (header.effects ?? []).flatMap((effect) =>
          effect.kind === 'role' && effect.role === null ? [real.personOf(effect.user)] : [],
        ),
      ),
  )
  return { model: states.at(-1) as Model, outcomes, deactivated }
}

function planRound(real: Real, model: Model, wishes: readonly Wish[], serial: number): Plan[] {
  const unsettled = new Set(wishes.flatMap((wish) => wish.unsettles(model)))
  const taken = new Set<string>()
  return wishes.flatMap((wish, place) => {
    const plan = wish.plan({ model, real, unsettled, serial: serial + place })
    const key = plan && uniqueKey(plan)
    if (!plan || (key !== undefined && taken.has(key))) return []
    if (key !== undefined) taken.add(key)
    return [plan]
  })
}

/** What the log tells of these does not say whose they were, so there is one of each at a time. */
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

async function attemptAll(real: Real, plans: readonly Plan[]): Promise<Outcome[]> {
  const held: HeldSend[] = []
  const outcomes: Promise<Outcome>[] = []
  for (const plan of plans) {
    if (!plan.hold) continue
    const send = plan.hold(real)
    held.push(send)
    outcomes.push(attempt(plan, send.answer))
    await Promise.race([send.isReady, sleep(patience)])
  }
  const others = plans.filter((plan) => !plan.hold)
  outcomes.push(...others.map((plan) => attempt(plan, plan.call(real.client(plan.by, plan.at)))))
  if (held.length > 0) await sleep(patience)
  for (const send of held) send.letGo()
  return Promise.all(outcomes)
}

/** Whoever waits for whom is in the database. */
async function inTime<Result>(real: Real, work: Promise<Result>, plans: readonly Plan[]): Promise<Result> {
  const tooLong = new AbortController()
  const late = sleep(20_000, undefined, { signal: tooLong.signal }).then(async () => {
    const waiting = await real.world.database.query(
      `select pid, pg_blocking_pids(pid) as by, left(query, 300) as query from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    const labels = plans.map(({ label }) => label)
    throw new Error(`this takes too long: ${JSON.stringify(labels)}, waiting: ${JSON.stringify(waiting)}`)
  })
  late.catch(() => {})
  return Promise.race([work, late]).finally(() => tooLong.abort())
}

async function attempt(plan: Plan, call: Promise<unknown>): Promise<Outcome> {
  try {
    return { plan, answer: await call }
  } catch (refusal) {
    if (!(refusal instanceof ApiError) || refusal.status >= 500) throw refusal
    return { plan, refusal }
  }
}

/** Each transaction of the log is what someone planned to do with messages, or it is about people and streams. */
function matchUp(real: Real, transactions: readonly Transaction[], outcomes: readonly Outcome[]): Step[] {
  const open = new Set(outcomes.filter(({ plan, refusal }) => plan.effect && !refusal))
  const steps = transactions.map((transaction): Step => {
    const found = [...open].find(({ plan, answer }) => plan.effect?.isIn(transaction, answer))
    if (!found?.plan.effect) return applyFromLog(real, transaction)
    open.delete(found)
    const { plan, answer } = found
    const { effect } = found.plan
    return {
      label: plan.label + named(answer),
      isPossible: effect.isPossible,
      isLoose: effect.isLoose ?? false,
      apply: (model) => effect.apply(model, transaction, answer),
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

const named = (answer: unknown): string => {
  const { id } = answer as { id?: number }
  return id === undefined ? '' : ` (${id})`
}

/** There may be nothing to delete. */
const mayBeSilent = ({ kind }: Plan) => kind === 'delete topic'

/** Whoever could read a message all the while is not told that there is none. */
function checkRefusal({ plan, refusal }: Outcome, states: readonly Model[]): void {
  if (!refusal?.is('INVALID_MESSAGE') || !plan.effect) return
  const { isPossible } = plan.effect
  assert.ok(!states.every(isPossible), `${plan.label} was refused: ${refusal.message}`)
}
