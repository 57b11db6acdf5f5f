import { ApiError, type api, findNewestReport, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { accessPerson } from './access.ts'
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
