import type { OrganizationId } from '@oxbow/contract'
import type { App } from '../../platform/app.ts'
import { BatchWriter } from '../../platform/batch-writer.ts'
import { isDatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import { FailureLog } from '../../platform/observe/log.ts'
import { perNode } from '../../platform/per-node.ts'
import { type Report, writeReports } from './write-reports.ts'

/** Time for which reports of one organization are buffered, to write them together. */
const flushIntervalMs = 500
/** Maximum number of reports per organization that a node buffers while PostgreSQL is unavailable. */
const maxBufferedReports = 50_000

const getReportWriters = perNode({
  name: 'presence report writers',
  create: () => new Map<OrganizationId, BatchWriter<Report>>(),
  countEntries: ({ size }) => size,
  close: async (writers) => {
    await Promise.all([...writers.values()].map((writer) => writer.finish()))
  },
})

/** Writes a report in a batch with other recent ones. Resolves when the report is written. */
export function saveReport(app: App, organization_id: OrganizationId, report: Report): Promise<void> {
  return getReportWriter(app, organization_id).add(report)
}

function getReportWriter(app: App, organization_id: OrganizationId): BatchWriter<Report> {
  const all = getReportWriters(app)
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

/**
 * Combines two unwritten reports of a client by the same rule as for stored ones: a report of idle
 * is ignored if the user was active a moment ago.
 */
export const foldReports = (earlier: Report, later: Report): Report =>
  earlier.status === 'active' && later.status === 'idle' ? earlier : later
