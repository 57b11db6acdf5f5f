import type { OrganizationId } from '@oxbow/contract'
import type { App } from '../platform/app.ts'
import { beforeClose } from '../platform/before-close.ts'
import { isDatabaseAway } from '../platform/database/database-away.ts'
import { FailureLog } from '../platform/failure-log.ts'
import { Gatherer } from '../platform/gatherer.ts'
import { type Report, writeReports } from './write-reports.ts'

/** So long a report may wait for others of its organization, in milliseconds. */
const every = 500
/** Reports of one organization that this node keeps while PostgreSQL is away. */
const maxItems = 50_000

const gatherers = new WeakMap<App, Map<OrganizationId, Gatherer<Report>>>()

/** Resolves once the report is written, together with others that come at the same time. */
export function noteReport(app: App, organization_id: OrganizationId, report: Report): Promise<void> {
  return gathererOf(app, organization_id).add(report)
}

function gathererOf(app: App, organization_id: OrganizationId): Gatherer<Report> {
  const all = gatherers.get(app) ?? begin(app)
  const gatherer = all.get(organization_id) ?? makeGatherer(app, organization_id)
  all.set(organization_id, gatherer)
  return gatherer
}

function makeGatherer(app: App, organization_id: OrganizationId): Gatherer<Report> {
  const failures = new FailureLog(app.log, {
    failed: 'reports of presence could not be written',
    recovered: 'reports of presence are written again',
  })
  return new Gatherer<Report>({
    every,
    maxItems,
    keyOf: ({ user_id, client }) => `${user_id} ${client}`,
    fold: foldReports,
    write: (reports) => writeReports(app, organization_id, reports),
    isTemporary: isDatabaseAway,
    onFailed: (error, lost) => failures.failed(error, { organization_id, lost }),
    onWritten: () => failures.succeeded(),
  })
}

function begin(app: App): Map<OrganizationId, Gatherer<Report>> {
  const known = new Map<OrganizationId, Gatherer<Report>>()
  gatherers.set(app, known)
  beforeClose(app, async () => {
    await Promise.all([...known.values()].map((gatherer) => gatherer.finish()))
  })
  return known
}

/** As the rule for stored reports has it: who was active a moment ago is not idle. */
export const foldReports = (earlier: Report, later: Report): Report =>
  earlier.status === 'active' && later.status === 'idle' ? earlier : later
