import { setTimeout } from 'node:timers/promises'
import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/database/database.ts'
import { lockSignInNetwork } from '../platform/database/locks.ts'
import { job } from '../platform/jobs.ts'
import { networkOf } from '../platform/network-of.ts'

/** Longer delays are refused with the time to wait, instead of being held open. */
const maxHeldSeconds = 5
const window = sql.lit('1 hour')

/** Failed tries that cost no delay, and how fast the delay doubles after them. */
interface Growth {
  free: number
  doublesEvery: number
  firstSeconds: number
  maxSeconds: number
}

/** Measured from the last try of this account from this network, so that it also bounds how many there can be. */
const ofPair: Growth = { free: 3, doublesEvery: 1, firstSeconds: 1, maxSeconds: 300 }
/**
 * Holds every try from a network that the account does not know for the same time. It is not measured from the last try:
 * otherwise strangers who never stop would lock the account's owner out.
 */
const ofAccount: Growth = { free: 10, doublesEvery: 10, firstSeconds: 0.25, maxSeconds: maxHeldSeconds }
const ofNetwork: Growth = { free: 10, doublesEvery: 5, firstSeconds: 0.25, maxSeconds: maxHeldSeconds }

function delayAfter(failures: number, { free, doublesEvery, firstSeconds, maxSeconds }: Growth): number {
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
  /** The account was signed in to from this network before. */
  isKnown: boolean
}

/**
 * Counts a try before its password is compared, so that any number of tries at once, on any number of nodes, stays within
 * the limits, and holds it for the delay that earlier failures cost. Returns the seconds to wait where that is too long.
 * A try counts as failed until `rememberSuccess` is called.
 */
export async function admitAttempt(app: App, signIn: SignIn): Promise<Attempt | { retryAfter: number }> {
  const username = signIn.username.toLowerCase()
  const network = networkOf(signIn.address)
  const admitted = await app.db.transaction().execute(async (tx) => {
    await lockSignInNetwork(tx, network)
    const counted = await countFailures(tx, signIn.organization_id, username, network)
    const wait = waitAfter(counted, app.config.failed_sign_ins_per_hour)
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

interface Counted {
  is_known: boolean
  of_network: number
  of_account: number
  of_pair: number
  /** Seconds until the oldest failure of the network no longer counts. */
  network_frees_in: number
  /** Seconds since the last try of this account from this network was judged; negative while it is held. */
  pair_idle_for: number | null
}

function waitAfter(counted: Counted, limit: number): number {
  const sincePair = counted.pair_idle_for ?? Number.POSITIVE_INFINITY
  const pairWait = Math.max(0, delayAfter(counted.of_pair, ofPair) - sincePair)
  // A part is kept for people who signed in from there before: others behind the same address cannot use it up.
  const allowed = counted.is_known ? limit : limit - Math.ceil(limit / 5)
  const networkWait =
    limit > 0 && counted.of_network >= allowed ? Math.max(counted.network_frees_in, maxHeldSeconds + 1) : 0
  if (counted.is_known) return Math.max(pairWait, networkWait)
  return Math.max(
    pairWait,
    networkWait,
    delayAfter(counted.of_account, ofAccount),
    delayAfter(counted.of_network, ofNetwork),
  )
}

async function countFailures(
  db: Db,
  organization_id: OrganizationId,
  username: string,
  network: string,
): Promise<Counted> {
  const recent = sql`judged_at > clock_timestamp() - ${window}::interval`
  const ofName = sql`organization_id = ${organization_id} and username = ${username}`
  const { rows } = await sql<Counted>`
    select
      exists (
        select from sign_in_network k join user_account u on u.organization_id = k.organization_id and u.id = k.user_id
        where u.organization_id = ${organization_id} and lower(u.delivery_email) = ${username}
          and u.bot_type is null and k.network = ${network}) as is_known,
      n.of_network, n.network_frees_in, p.of_pair, p.pair_idle_for,
      -- The delay stops growing long before.
      (select count(*)::int from (select from sign_in_failure where ${ofName} and ${recent} limit 100) f) as of_account
    from
      (select count(*)::int as of_network,
         extract(epoch from min(judged_at) + ${window}::interval - clock_timestamp())::float as network_frees_in
       from sign_in_failure where network = ${network} and ${recent}) n,
      (select count(*)::int as of_pair, extract(epoch from clock_timestamp() - max(judged_at))::float as pair_idle_for
       from sign_in_failure where ${ofName} and network = ${network} and ${recent}) p`.execute(db)
  const [counted] = rows
  if (!counted) throw new Error('counting failed tries returned no row')
  return counted
}

/** Each account remembers this many networks, the ones used last. */
const maxNetworks = 50

/** Forgets the failures of this account from this network, and remembers the network as one of its owner's. */
export async function rememberSuccess(db: Db, attempt: Attempt, user_id: UserId): Promise<void> {
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

/** Forgets the failures of an account from everywhere. */
export async function forgetFailures(
  db: Db,
  organization_id: OrganizationId,
  username: string,
): Promise<void> {
  await db
    .deleteFrom('sign_in_failure')
    .where('organization_id', '=', organization_id)
    .where('username', '=', username.toLowerCase())
    .execute()
}

async function deleteOldAttempts(db: Db): Promise<void> {
  await sql`delete from sign_in_failure where judged_at < now() - ${window}::interval`.execute(db)
  await sql`delete from sign_in_network where last_at < now() - interval '180 days'`.execute(db)
  // Written by nodes of the release before.
  await sql`delete from login_attempt where not exists (
    select from unnest(attempted_at) t where t > now() - ${window}::interval)`.execute(db)
}

export const forgetOldSignInAttempts = job<unknown>({
  name: 'forget_old_login_attempts',
  schedule: '*/30 * * * *',
  run: ({ db }) => deleteOldAttempts(db),
})
