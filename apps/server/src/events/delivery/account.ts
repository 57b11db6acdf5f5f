import type { OrganizationId, Role, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import { coalesce } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Effect } from '../record.ts'
import { type Period, Periods } from './periods.ts'
import type { Queue } from './queue.ts'

/**
 * Roles and subscriptions over time of an account whose queues this node serves. Effects of the log
 * update it.
 */
export class Account {
  readonly user_id: UserId
  readonly queues = new Set<Queue>()
  isBot = false
  /**
   * Increases when the API key is replaced. A stream that sees another value than before checks its
   * key again.
   */
  keyGeneration = 0
  roles = new Periods<Role>()
  readonly streams = new Map<number, Periods<true>>()
  /** Effects that arrived while the account was being read; undefined afterwards. */
  #effectsDuringLoad: Effect[] | undefined = []
  readonly #ready: Promise<void>

  constructor(db: Db, organization_id: OrganizationId, user_id: UserId) {
    this.user_id = user_id
    this.#ready = this.#load(db, organization_id)
  }

  /** Resolves once the account was read. */
  ready(): Promise<void> {
    return this.#ready
  }

  async #load(db: Db, organization_id: OrganizationId): Promise<void> {
    const found = await findHistory(db, { organization_id, user_id: this.user_id })
    if (!found) throw new Error(`account ${this.user_id} does not exist`)
    this.isBot = found.is_bot
    this.roles = new Periods(found.roles ?? [])
    const byStream = Map.groupBy(found.streams ?? [], ({ stream_id }) => stream_id)
    for (const [stream, periods] of byStream) {
      this.streams.set(stream, new Periods(periods.map(({ from, to }) => ({ value: true, from, to }))))
    }
    const early = this.#effectsDuringLoad ?? []
    this.#effectsDuringLoad = undefined
    for (const effect of early) this.apply(effect)
  }

  /**
   * Applies an effect, which must concern this account. Effects during the load are applied after
   * it.
   */
  apply(effect: Effect): void {
    if (effect.kind === 'credentials') this.keyGeneration++
    if (this.#effectsDuringLoad) {
      this.#effectsDuringLoad.push(effect)
      return
    }
    if (effect.kind === 'role') this.roles.change(effect.at, effect.role ?? undefined)
    if (effect.kind === 'subscriptions') {
      const periods = this.streams.get(effect.stream) ?? new Periods<true>()
      this.streams.set(effect.stream, periods)
      periods.change(effect.at, effect.subscribed || undefined)
    }
    if (effect.kind === 'archive') this.streams.get(effect.stream)?.change(effect.at, undefined)
  }
}

interface AccountKey {
  organization_id: OrganizationId
  user_id: UserId
}

interface History extends AccountKey {
  is_bot: boolean
  roles: Period<Role>[] | null
  streams: (Omit<Period<true>, 'value'> & { stream_id: number })[] | null
}

/** Coalesced, because thousands of queues may arrive at once from a node that died. */
const findHistory = coalesce<AccountKey, History>(async (db, keys) => {
  const { rows } = await sql<History>`
    select u.organization_id, u.id as user_id, u.bot_type is not null as is_bot,
      (select json_agg(json_build_object('value', role, 'from', from_outbox_id, 'to', to_outbox_id))
       from role_period p where p.organization_id = u.organization_id and p.user_id = u.id) as roles,
      (select json_agg(json_build_object('stream_id', stream_id, 'from', from_outbox_id, 'to', to_outbox_id))
       from subscription_period p where p.organization_id = u.organization_id and p.user_id = u.id) as streams
    from unnest(
      ${keys.map((key) => key.organization_id)}::bigint[], ${keys.map((key) => key.user_id)}::bigint[]
    ) as asked (organization_id, id)
    join user_account u using (organization_id, id)`.execute(db)
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return keys.map((key) => byKey.get(keyOf(key)))
})

const keyOf = ({ organization_id, user_id }: AccountKey): string => `${organization_id} ${user_id}`
