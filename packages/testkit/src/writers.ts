import { setTimeout } from 'node:timers/promises'
import type { Account } from './account.ts'
import { basic } from './http.ts'
import { type Answer, call, isSurprise } from './keep-alive-call.ts'

export interface WritersOptions {
  urls: readonly string[]
  owner: Account
  /** Whose names change; each on one node only, so that a stopped node holds no row that another one needs. */
  people: readonly Account[]
  /** A stream, and those who join and leave it. */
  crossing: { name: string; people: readonly Account[] }
  /** Changes on all nodes together; 0 for none. */
  perSecond: number
}

export interface Writers {
  done(): number
  failed(): number
  /** Answers that no fault explains. */
  readonly surprises: string[]
  /** Returns when everything under way has ended one way or the other. */
  stop(): Promise<void>
}

const patience = 3_000
/** A node that does not answer is not asked for ever more. */
const mostUnderWay = 8

/** No change is the same as an earlier one, whoever made that. */
let changes = 0

/** Changes something all the time, on every node, whatever happens to it. */
export function startWriters({ urls, owner, people, crossing, perSecond }: WritersOptions): Writers {
  const surprises: string[] = []
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
    const answer: Answer | undefined = await call(url, {
      method,
      path: `/api/v1${path}`,
      authorization: basic(account),
      patience,
      ...(form && { form }),
    }).catch(() => undefined)
    if (answer?.status === 200) done++
    else failed++
    if (answer && isSurprise(answer)) {
      surprises.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    }
    return answer?.body
  }

  async function changeFields(url: string, name: string): Promise<void> {
    const created = await change(url, 'POST', '/realm/profile_fields', { name, field_type: '1' })
    if (created?.id) await change(url, 'DELETE', `/realm/profile_fields/${created.id}`)
  }

  function rename(url: string, { user_id }: Account) {
    const full_name = `Person ${user_id} named ${changes}`
    return change(url, 'PATCH', `/users/${user_id}`, { full_name })
  }

  function cross(url: string, person: Account, isComing: boolean) {
    const subscriptions = JSON.stringify([isComing ? { name: crossing.name } : crossing.name])
    return change(url, isComing ? 'POST' : 'DELETE', '/users/me/subscriptions', { subscriptions }, person)
  }

  async function run(url: string, place: number): Promise<void> {
    const own = people.filter((_, index) => index % urls.length === place)
    const crossers = own.filter((person) => crossing.people.includes(person))
    const underWay = new Set<Promise<unknown>>()
    for (let round = 1; !stopped; round++) {
      await setTimeout((1000 * urls.length) / perSecond)
      if (underWay.size >= mostUnderWay || stopped) continue
      const of = (accounts: Account[]) => accounts[round % accounts.length] as Account
      changes++
      const work =
        round % 15 === 0
          ? changeFields(url, `Field ${changes}`)
          : round % 3 === 0
            ? cross(url, of(crossers), Math.random() < 0.5)
            : rename(url, of(own))
      underWay.add(work)
      work.finally(() => underWay.delete(work))
    }
    await Promise.all(underWay)
  }

  const running = perSecond > 0 ? urls.map(run) : []
  return {
    surprises,
    done: () => done,
    failed: () => failed,
    async stop() {
      stopped = true
      await Promise.all(running)
    },
  }
}
