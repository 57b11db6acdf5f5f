import type { OrganizationId, PresenceStatus, UserId } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import { commitRelaxed } from '../events/emit-ephemeral.ts'
import { displayEmail } from '../organization/display-email.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import { lockPresence, lockRoles } from '../platform/database/locks.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PresenceNews } from './event-shape.ts'
import { listPresenceOf, listReporters, type PresenceRow, upsertPresence } from './queries.ts'
import { judgeReport } from './rule.ts'
import { viewReports } from './views.ts'

/** What one program said of its user. */
export interface Report {
  user_id: UserId
  client: string
  status: PresenceStatus
  at: Date
}

/** Of more programs nothing is kept, so that nobody can fill the table with made-up names. */
const mostClients = 20
/** A record becomes so many events at most. */
const mostNews = 500

/**
 * Everything that was reported at this node in a moment, in one transaction: a few statements for any number of people,
 * and one record for all the news.
 */
export async function writeReports(
  app: App,
  organization_id: OrganizationId,
  reports: readonly Report[],
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await commitRelaxed(tx)
    await lockRoles(tx, organization_id, 'shared')
    // Two nodes may hear of the same person at once: what the first writes, the second judges by.
    await lockPresence(tx, organization_id)
    const { changed, news } = await judge(app, tx, organization_id, reports)
    await upsertPresence(tx, organization_id, changed)
    for (let start = 0; start < news.length; start += mostNews) {
      emitNews(tx, organization_id, news.slice(start, start + mostNews))
    }
  })
}

async function judge(app: App, tx: Tx, organization_id: OrganizationId, reports: readonly Report[]) {
  const ids = [...new Set(reports.map(({ user_id }) => user_id))]
  const reporters = await listReporters(tx, organization_id, ids)
  const known = Map.groupBy(await listPresenceOf(tx, organization_id, ids), ({ user_id }) => user_id)
  const changed: PresenceRow[] = []
  const news: PresenceNews['news'][number][] = []
  for (const { user_id, client, status, at } of reports) {
    const reporter = reporters.get(user_id)
    const rows = known.get(user_id) ?? []
    const stored = rows.find((row) => row.client === client)
    if (!reporter || (!stored && rows.length >= mostClients)) continue
    const judged = judgeReport(stored, status, at)
    if (!judged) continue
    const row = { user_id, client, ...judged.times }
    if (!stored) known.set(user_id, [...rows, row])
    changed.push(row)
    if (!judged.isNews) continue
    const report = viewReports([[client, secondsOf(row.active_at), secondsOf(row.idle_at)]])[0]
    if (report) news.push({ user_id, email: displayEmail(app.config, reporter), report })
  }
  return { changed, news }
}

function emitNews(tx: Tx, organization_id: OrganizationId, news: PresenceNews['news']): void {
  const event = { type: 'presence', server_timestamp: Date.now() / 1_000, news }
  emit(tx, { organization_id, event, to: { roles: 'everyone' }, deferred: true, eventCount: news.length })
}

const secondsOf = (time: Date | null): number | null => time && Math.floor(time.getTime() / 1_000)
