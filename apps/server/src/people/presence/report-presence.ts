import {
  ApiError,
  type api,
  type ParamsOf,
  type PresenceStatus,
  presenceStatuses,
  type ResponseOf,
} from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { InPieces } from '../../platform/pieces.ts'
import { toReportingClient } from './client-names.ts'
import { saveReport } from './reports.ts'
import { readSharedPresence } from './shared-presence.ts'

type ReportPresence = typeof api.presence.report

export async function reportPresence(
  app: App,
  actor: Actor,
  { status, ping_only, slim_presence }: ParamsOf<ReportPresence>,
): Promise<InPieces<ResponseOf<ReportPresence>>> {
  if (!isStatus(status)) throw new ApiError('PRESENCE_STATUS_INVALID', { status })
  const { organization_id, user_id } = actor
  const report = { user_id, client: toReportingClient(actor.client), status, at: new Date() }
  const written = saveReport(app, organization_id, report)
  if (ping_only) return {}
  // The list is read after the report is written, so that it contains the caller.
  await written
  const presences = await readSharedPresence(app, actor, slim_presence, performance.now())
  return { presences, server_timestamp: Date.now() / 1_000 }
}

const isStatus = (status: string): status is PresenceStatus =>
  presenceStatuses.some((allowed) => allowed === status)
