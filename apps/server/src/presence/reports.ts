import type { OrganizationId } from '@oxbow/contract'
import type { App } from '../platform/app.ts'
import { BatchWriter } from '../platform/batch-writer.ts'
import { beforeClose } from '../platform/before-close.ts'
import { isDatabaseUnavailable } from '../platform/database/database-unavailable.ts'
import { FailureLog } from '../platform/failure-log.ts'
import { type Report, writeReports } from './write-reports.ts'

/** How long a report may wait to be written together with others of its organization. */
const flushIntervalMs = 500
/** Reports of one organization that a node buffers while PostgreSQL is unavailable. */
const maxBufferedReports = 50_000

const reportWriters = new WeakMap<App, Map<OrganizationId, BatchWriter<Report>>>()

/** Writes a report in a batch with others of the same time. Resolves once it is written. */
export function saveReport(app: App, organization_id: OrganizationId, report: Report): Promise<void> {
  return getReportWriter(app, organization_id).add(report)
}

function getReportWriter(app: App, organization_id: OrganizationId): BatchWriter<Report> {
  const all = reportWriters.get(app) ?? createReportWriters(app)
  const writer = all.get(organization_id) ?? makeReportWriter(app, organization_id)
  all.set(organization_id, writer)
  return writer
}

function makeReportWriter(app: App, organization_id: OrganizationId): BatchWriter<Report> {
  const failures = new FailureLog(app.log, {
    failed: 'reports of presence could not be written',
    recovered: 'reports of presence are written again',
  })
  return new BatchWriter<Report>({
    intervalMs: flushIntervalMs,
    maxItems: maxBufferedReports,
    keyOf: ({ user_id, client }) => `${user_id} ${client}`,
    merge: foldReports,
    write: (reports) => writeReports(app, organization_id, reports),
    isTemporary: isDatabaseUnavailable,
    onFailed: (error, lost) => failures.failed(error, { organization_id, lost }),
    onWritten: () => failures.succeeded(),
  })
}

function createReportWriters(app: App): Map<OrganizationId, BatchWriter<Report>> {
  const known = new Map<OrganizationId, BatchWriter<Report>>()
  reportWriters.set(app, known)
  beforeClose(app, async () => {
    await Promise.all([...known.values()].map((writer) => writer.finish()))
  })
  return known
}

/**
 * Combines two unwritten reports of a program, by the same rule as for stored ones: a user who was
 * just active is not idle.
 */
export const foldReports = (earlier: Report, later: Report): Report =>
  earlier.status === 'active' && later.status === 'idle' ? earlier : later
