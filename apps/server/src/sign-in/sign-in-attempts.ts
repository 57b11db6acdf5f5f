import { setTimeout } from 'node:timers/promises'
import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { App } from '../platform/app.ts'
import { autocommit, type Db } from '../platform/database/database.ts'
import { lockSignInNetwork } from '../platform/database/locks.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { job } from '../platform/jobs/jobs.ts'
import { networkOf } from '../platform/network-of.ts'

/**
 * Maximum delay of a response. Attempts that need a longer delay are refused, and the error
 * contains the time to wait.
 */
const maxHeldSeconds = 5
/** Time for which a failed attempt is counted. */
const countedPeriod = sql.lit('1 hour')

/**
 * How a delay grows: the number of failures without a delay, and how fast the delay doubles after
 * them.
 */
interface DelayGrowth {
  free: number
  doublesEvery: number
  firstSeconds: number
  maxSeconds: number
}

/**
 * Delay per account and network. It is measured from the last attempt, so it also limits the rate
 * of attempts.
 */
const pairDelay: DelayGrowth = { free: 3, doublesEvery: 1, firstSeconds: 1, maxSeconds: 300 }
/**
 * Delay of every attempt from a network that the account was never signed in from. It is not
 * measured from the last attempt; otherwise continuous attempts by others could lock out the
 * account's owner.
 */
const accountDelay: DelayGrowth = {
  free: 10,
  doublesEvery: 10,
  firstSeconds: 0.25,
  maxSeconds: maxHeldSeconds,
}
const networkDelay: DelayGrowth = {
  free: 10,
  doublesEvery: 5,
  firstSeconds: 0.25,
  maxSeconds: maxHeldSeconds,
}

function computeDelaySeconds(
  failures: number,
  { free, doublesEvery, firstSeconds, maxSeconds }: DelayGrowth,
): number {
  if (failures < free) return 0
  return Math.min(maxSeconds, firstSeconds * 2 ** Math.floor((failures - free) / doublesEvery))
}

export interface SignIn {
  organization_id: OrganizationId
  username: string
  /** The caller's IP address. */
  address: string
}

export interface Attempt extends SignIn {
  /** Whether the account has signed in from this network before. */
  isKnown: boolean
}

/**
 * Counts an attempt before its password is checked, so that concurrent attempts on all nodes stay
 * within the limits. Then waits for the delay that earlier failures caused; if the delay is too
 * long, returns the seconds to wait instead. An attempt counts as failed until `recordSuccess` is
 * called.
 */
export async function admitAttempt(app: App, signIn: SignIn): Promise<Attempt | { retryAfter: number }> {
  const username = signIn.username.toLowerCase()
  const network = networkOf(signIn.address)
  const admitted = await inTransaction(app.db, async (tx) => {
    await lockSignInNetwork(tx, network)
    const counted = await countFailures(tx, signIn.organization_id, username, network)
    const wait = computeWaitSeconds(counted, app.config.failed_sign_ins_per_hour)
    if (wait <= maxHeldSeconds)
      await sql`
        insert into sign_in_failure (organization_id, username, network, judged_at)
        values (${signIn.organization_id}, ${username}, ${network}, clock_timestamp() + ${wait} * interval '1 second')
      `.execute(tx)
    return { wait, isKnown: counted.is_known }
  })
  if (admitted.wait > maxHeldSeconds) {
    app.log.warn(
      { network, seconds: Math.ceil(admitted.wait) },
      'refused a try to sign in after too many failures',
    )
    return { retryAfter: Math.ceil(admitted.wait) }
  }
  if (admitted.wait > 0) await setTimeout(admitted.wait * 1000)
  return { ...signIn, isKnown: admitted.isKnown }
}

interface AttemptCounts {
  is_known: boolean
  of_network: number
  of_account: number
  of_pair: number
  /** Seconds until the network's oldest failure is no longer counted. */
  network_frees_in: number
  /**
   * Seconds since the last attempt for this account from this network was checked; negative while
   * that attempt is still delayed.
   */
  pair_idle_for: number | null
}

function computeWaitSeconds(counted: AttemptCounts, limit: number): number {
  const sincePair = counted.pair_idle_for ?? Number.POSITIVE_INFINITY
  const pairWait = Math.max(0, computeDelaySeconds(counted.of_pair, pairDelay) - sincePair)
  // A fifth of the limit is reserved for people who have signed in from this network before, so
  // that others with the same IP address cannot use it up.
  const allowed = counted.is_known ? limit : limit - Math.ceil(limit / 5)
  const networkWait =
    limit > 0 && counted.of_network >= allowed ? Math.max(counted.network_frees_in, maxHeldSeconds + 1) : 0
  if (counted.is_known) return Math.max(pairWait, networkWait)
  return Math.max(
    pairWait,
    networkWait,
    computeDelaySeconds(counted.of_account, accountDelay),
    computeDelaySeconds(counted.of_network, networkDelay),
  )
}

async function countFailures(
  db: Db,
  organization_id: OrganizationId,
  username: string,
  network: string,
): Promise<AttemptCounts> {
  const recent = sql`judged_at > clock_timestamp() - ${countedPeriod}::interval`
  const isSameAccount = sql`organization_id = ${organization_id} and username = ${username}`
  const { rows } = await sql<AttemptCounts>`
    select
      exists (
        select from sign_in_network k join user_account u on u.organization_id = k.organization_id and u.id = k.user_id
        where u.organization_id = ${organization_id} and lower(u.delivery_email) = ${username}
          and u.bot_type is null and k.network = ${network}) as is_known,
      n.of_network, n.network_frees_in, p.of_pair, p.pair_idle_for,
      -- A higher count would make no difference, because the delay has reached its maximum.
      (select count(*)::int from (select from sign_in_failure where ${isSameAccount} and ${recent} limit 100) f) as of_account
    from
      (select count(*)::int as of_network,
         extract(epoch from min(judged_at) + ${countedPeriod}::interval - clock_timestamp())::float as network_frees_in
       from sign_in_failure where network = ${network} and ${recent}) n,
      (select count(*)::int as of_pair, extract(epoch from clock_timestamp() - max(judged_at))::float as pair_idle_for
       from sign_in_failure where ${isSameAccount} and network = ${network} and ${recent}) p`.execute(db)
  const [counted] = rows
  if (!counted) throw new Error('counting failed sign-in attempts returned no row')
  return counted
}

/** Maximum number of stored networks per account; the most recently used ones are kept. */
const maxNetworks = 50

/**
 * Deletes the failures of this account from this network, and stores the network as known for the
 * account.
 */
export async function recordSuccess(db: Db, attempt: Attempt, user_id: UserId): Promise<void> {
  const { organization_id } = attempt
  const network = networkOf(attempt.address)
  await sql`
    with forgotten as (
      delete from sign_in_failure
      where organization_id = ${organization_id} and username = ${attempt.username.toLowerCase()} and network = ${network}),
    surplus as (
      delete from sign_in_network where organization_id = ${organization_id} and user_id = ${user_id} and network in (
        select network from sign_in_network where organization_id = ${organization_id} and user_id = ${user_id}
          and network <> ${network}
        order by last_at desc offset ${maxNetworks - 1}))
    insert into sign_in_network as k (organization_id, user_id, network)
    values (${organization_id}, ${user_id}, ${network})
    on conflict (organization_id, user_id, network) do update set last_at = now()
      where k.last_at < now() - interval '1 day'`.execute(db)
}

/** Deletes the failures of an account from all networks. */
export async function deleteFailures(
  db: Db,
  organization_id: OrganizationId,
  username: string,
): Promise<void> {
  await autocommit(db)
    .deleteFrom('sign_in_failure')
    .where('organization_id', '=', organization_id)
    .where('username', '=', username.toLowerCase())
    .execute()
}

async function deleteOldAttempts(db: Db): Promise<void> {
  await sql`delete from sign_in_failure where judged_at < now() - ${countedPeriod}::interval`.execute(db)
  await sql`delete from sign_in_network where last_at < now() - interval '180 days'`.execute(db)
  // Deletes rows that nodes of the previous release wrote.
  await sql`delete from login_attempt where not exists (
    select from unnest(attempted_at) t where t > now() - ${countedPeriod}::interval)`.execute(db)
}

export const deleteOldSignInAttempts = job<unknown>({
  name: 'forget_old_login_attempts',
  schedule: '*/30 * * * *',
  run: ({ db }) => deleteOldAttempts(db),
})
