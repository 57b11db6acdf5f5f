import {
  ApiError,
  type api,
  findNewestReport,
  type ParamsOf,
  type ResponseOf,
  type UserId,
} from '@oxbow/contract'
import type { Account } from '../../identity/accounts/queries.ts'
import { listSeenAccountsByEmail, listSeenAccountsById } from '../../identity/accounts/sight.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { listLastReports } from './queries.ts'
import { toPresenceReports } from './views.ts'

type GetPresence = typeof api.presence.get

/** A user without a report for this long is offline. */
const offlineAfterSeconds = 300

export async function getPresence(
  app: App,
  actor: Actor,
  { user_id_or_email: named }: ParamsOf<GetPresence>,
): Promise<ResponseOf<GetPresence>> {
  const { id } = await accessPerson(app, actor, named)
  const reports = toPresenceReports(await listLastReports(app.db, actor.organization_id, id))
  const newest = findNewestReport(reports)
  if (!newest) throw new ApiError('PRESENCE_UNKNOWN', { user: named })
  const isOffline = Date.now() / 1_000 - newest.timestamp > offlineAfterSeconds
  const entries = reports.map(({ client, status, timestamp }) => [client, { status, timestamp }] as const)
  const aggregated = { status: isOffline ? ('offline' as const) : newest.status, timestamp: newest.timestamp }
  return { presence: { ...Object.fromEntries(entries), aggregated } }
}

/** Loads an active person by id or display address. Throws for bots and system accounts. */
async function accessPerson(app: App, actor: Actor, named: string): Promise<Account> {
  const account = await findAccount(app, actor, named)
  if (!account?.is_active || account.is_system) throw new ApiError('NO_SUCH_USER')
  if (account.bot_type !== null) throw new ApiError('PRESENCE_NOT_OF_BOTS')
  return account
}

async function findAccount({ config, db }: App, actor: Actor, named: string): Promise<Account | undefined> {
  if (!/^\d{1,15}$/.test(named)) {
    return (await listSeenAccountsByEmail(config, db, actor, [named])).get(named.toLowerCase())
  }
  const id = Number(named) as UserId
  return (await listSeenAccountsById(db, actor, [id])).get(id)
}
