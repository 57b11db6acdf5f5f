import type { OrganizationId, PresenceStatus, UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { commitRelaxed } from '../../events/emit-ephemeral.ts'
import type { Audience } from '../../events/record.ts'
import { findGuestAudiences, notGuests } from '../../identity/accounts/emit-about.ts'
import { displayEmail } from '../../identity/accounts/public-account.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockPresence, lockRoles } from '../../platform/database/locks.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { applyReport } from './apply-report.ts'
import type { PresenceChanges } from './event-shape.ts'
import { listPresenceRows, listReporters, type PresenceRow, upsertPresence } from './queries.ts'
import { toPresenceReports } from './views.ts'

/** A report of one client about its user. */
export interface Report {
  user_id: UserId
  client: string
  status: PresenceStatus
  at: Date
}

/**
 * Maximum number of clients per user. Reports of further clients are dropped, so that nobody can
 * fill the table with made-up client names.
 */
const maxClientsPerUser = 20
/** Bounds the number of events that one record expands to. */
const maxNewsPerRecord = 500

/**
 * Writes a batch of reports in one transaction. The number of statements does not depend on the
 * number of users. Emits one record for up to `maxNewsPerRecord` changes.
 */
export async function writeReports(
  app: App,
  organization_id: OrganizationId,
  reports: readonly Report[],
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await commitRelaxed(tx)
    await lockRoles(tx, organization_id, 'shared')
    // Two nodes may get reports of the same user at the same time. The second node must see the
    // report that the first one wrote.
    await lockPresence(tx, organization_id)
    const { changed, news } = await applyReports(app, tx, organization_id, reports)
    await upsertPresence(tx, organization_id, changed)
    for (let start = 0; start < news.length; start += maxNewsPerRecord) {
      await emitNews(tx, organization_id, news.slice(start, start + maxNewsPerRecord))
    }
  })
}

async function applyReports(app: App, tx: Tx, organization_id: OrganizationId, reports: readonly Report[]) {
  const ids = [...new Set(reports.map(({ user_id }) => user_id))]
  const reporters = await listReporters(tx, organization_id, ids)
  const rowsByUser = Map.groupBy(await listPresenceRows(tx, organization_id, ids), ({ user_id }) => user_id)
  const changed: PresenceRow[] = []
  const news: PresenceChanges['news'][number][] = []
  for (const { user_id, client, status, at } of reports) {
    const reporter = reporters.get(user_id)
    const rows = rowsByUser.get(user_id) ?? []
    const stored = rows.find((row) => row.client === client)
    if (!reporter || (!stored && rows.length >= maxClientsPerUser)) continue
    const judged = applyReport(stored, status, at)
    if (!judged) continue
    const row = { user_id, client, ...judged.times }
    if (!stored) rowsByUser.set(user_id, [...rows, row])
    changed.push(row)
    if (!judged.isNews) continue
    const report = toPresenceReports([[client, toSeconds(row.active_at), toSeconds(row.idle_at)]])[0]
    if (report) news.push({ user_id, email: displayEmail(app.config, reporter), report })
  }
  return { changed, news }
}

/** Emits one record for everyone or, if the sight of guests is limited, further ones for the guests. */
async function emitNews(
  tx: Tx,
  organization_id: OrganizationId,
  news: PresenceChanges['news'],
): Promise<void> {
  const guests = await findGuestAudiences(
    tx,
    organization_id,
    news.map(({ user_id }) => user_id),
  )
  const emitTo = (to: Audience, some: PresenceChanges['news']) => {
    const event = { type: 'presence', server_timestamp: Date.now() / 1_000, news: some }
    emit(tx, { organization_id, event, to, deferred: true, eventCount: some.length })
  }
  emitTo({ roles: guests.length > 0 ? notGuests : 'everyone' }, news)
  for (const [index, audience] of guests.entries()) emitTo({ guests: audience }, news.slice(index, index + 1))
}

const toSeconds = (time: Date | null): number | null => time && Math.floor(time.getTime() / 1_000)
