import type { OrganizationId } from '@oxbow/contract'
import type { App } from '../platform/app.ts'
import { beforeClose } from '../platform/before-close.ts'
import { isDatabaseAway } from '../platform/database/database-away.ts'
import { FailureLog } from '../platform/failure-log.ts'
import { Gatherer } from '../platform/gatherer.ts'
import { type Report, writeReports } from './write-reports.ts'

/** How long a report may wait to be written together with others of its organization. */
const flushIntervalMs = 500
/** Reports of one organization that a node buffers while PostgreSQL is unavailable. */
const maxBufferedReports = 50_000

const gatherers = new WeakMap<App, Map<OrganizationId, Gatherer<Report>>>()

/** Writes a report in a batch with others of the same time. Resolves once it is written. */
export function saveReport(app: App, organization_id: OrganizationId, report: Report): Promise<void> {
  return getGatherer(app, organization_id).add(report)
}

function getGatherer(app: App, organization_id: OrganizationId): Gatherer<Report> {
  const all = gatherers.get(app) ?? createGatherers(app)
  const gatherer = all.get(organization_id) ?? makeGatherer(app, organization_id)
  all.set(organization_id, gatherer)
  return gatherer
}

function makeGatherer(app: App, organization_id: OrganizationId): Gatherer<Report> {
  const failures = new FailureLog(app.log, {
    failed: 'could not write presence reports',
    recovered: 'presence reports are written again',
  })
  return new Gatherer<Report>({
    every: flushIntervalMs,
    maxItems: maxBufferedReports,
    keyOf: ({ user_id, client }) => `${user_id} ${client}`,
    fold: foldReports,
    write: (reports) => writeReports(app, organization_id, reports),
    isTemporary: isDatabaseAway,
    onFailed: (error, lost) => failures.failed(error, { organization_id, lost }),
    onWritten: () => failures.succeeded(),
  })
}

function createGatherers(app: App): Map<OrganizationId, Gatherer<Report>> {
  const known = new Map<OrganizationId, Gatherer<Report>>()
  gatherers.set(app, known)
  beforeClose(app, async () => {
    await Promise.all([...known.values()].map((gatherer) => gatherer.finish()))
  })
  return known
}

/**
 * Combines two unwritten reports of a program, by the same rule as for stored ones: a user who was
 * just active is not idle.
 */
export const foldReports = (earlier: Report, later: Report): Report =>
  earlier.status === 'active' && later.status === 'idle' ? earlier : later
