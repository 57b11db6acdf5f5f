import { setTimeout } from 'node:timers/promises'
import type { Account } from './account.ts'
import { type CallResponse, callOverPool, isUnexplainedError } from './call-over-pool.ts'
import { basic } from './http.ts'

export interface WritersOptions {
  urls: readonly string[]
  owner: Account
  /**
   * Accounts whose names are changed. Each is changed on one node only, so that a suspended node
   * locks no row that another node needs.
   */
  people: readonly Account[]
  /** A stream, and the people who keep joining and leaving it. */
  crossing: { name: string; people: readonly Account[] }
  /** Number of changes per second on all nodes together. 0 for none. */
  perSecond: number
}

export interface Writers {
  done(): number
  failed(): number
  /** Error responses that no injected fault explains. */
  readonly unexplainedErrors: string[]
  /** Waits until every started change has succeeded or failed. */
  stop(): Promise<void>
}

const timeoutMs = 3_000
/**
 * Maximum number of concurrent changes per node, so that they do not pile up at a node that does
 * not respond.
 */
const maxConcurrentChanges = 8

/** Counts the changes of all writers, so that each change writes a new value. */
let changes = 0

/** Continuously changes names, profile fields and subscriptions on every node, even if requests fail. */
export function startWriters({ urls, owner, people, crossing, perSecond }: WritersOptions): Writers {
  const unexplainedErrors: string[] = []
  let done = 0
  let failed = 0
  let stopped = false

  async function change(
    url: string,
    method: string,
    path: string,
    form?: Record<string, string>,
    account: Account = owner,
  ) {
    const response: CallResponse | undefined = await callOverPool(url, {
      method,
      path: `/api/v1${path}`,
      authorization: basic(account),
      timeoutMs,
      ...(form && { form }),
    }).catch(() => undefined)
    if (response?.status === 200) done++
    else failed++
    if (response && isUnexplainedError(response)) {
      unexplainedErrors.push(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
    }
    return response?.body
  }

  async function changeFields(url: string, name: string): Promise<void> {
    const created = await change(url, 'POST', '/realm/profile_fields', { name, field_type: '1' })
    if (created?.id) await change(url, 'DELETE', `/realm/profile_fields/${created.id}`)
  }

  function rename(url: string, { user_id }: Account) {
    const full_name = `Person ${user_id} named ${changes}`
    return change(url, 'PATCH', `/users/${user_id}`, { full_name })
  }

  function changeSubscription(url: string, person: Account, isJoining: boolean) {
    const subscriptions = JSON.stringify([isJoining ? { name: crossing.name } : crossing.name])
    return change(url, isJoining ? 'POST' : 'DELETE', '/users/me/subscriptions', { subscriptions }, person)
  }

  async function run(url: string, nodeIndex: number): Promise<void> {
    const own = people.filter((_, index) => index % urls.length === nodeIndex)
    const rejoiners = own.filter((person) => crossing.people.includes(person))
    const inProgress = new Set<Promise<unknown>>()
    for (let round = 1; !stopped; round++) {
      await setTimeout((1000 * urls.length) / perSecond)
      if (inProgress.size >= maxConcurrentChanges || stopped) continue
      const pick = (accounts: Account[]) => accounts[round % accounts.length] as Account
      changes++
      const work =
        round % 15 === 0
          ? changeFields(url, `Field ${changes}`)
          : round % 3 === 0
            ? changeSubscription(url, pick(rejoiners), Math.random() < 0.5)
            : rename(url, pick(own))
      inProgress.add(work)
      void work.finally(() => inProgress.delete(work))
    }
    await Promise.all(inProgress)
  }

  const running = perSecond > 0 ? urls.map(run) : []
  return {
    unexplainedErrors,
    done: () => done,
    failed: () => failed,
    async stop() {
      stopped = true
      await Promise.all(running)
    },
  }
}
