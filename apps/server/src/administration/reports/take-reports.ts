import type { api, ParamsOf } from '@oxbow/contract'
import type { Actor, Caller } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { logReport, shorten } from './report-log.ts'

/** Logs an error of a client. Texts that may contain messages of users are left out. */
export async function reportError(
  app: App,
  { subdomain }: Caller,
  { message, stacktrace, ui_message, user_agent, href }: ParamsOf<typeof api.reports.reportError>,
): Promise<object> {
  const fields = {
    organization: subdomain,
    error: shorten(message, 500),
    stack: shorten(stacktrace, 2_000),
    wasShown: ui_message,
    program: shorten(user_agent, 200),
    page: shorten(findPath(href), 200),
  }
  logReport(app, 'warn', fields, 'a client reported an error')
  return {}
}

/** Returns only the path of a URL. Its other parts may contain keys and names of topics. */
function findPath(href: string): string {
  return URL.parse(href)?.pathname ?? ''
}

const takeTimes =
  (kind: string) =>
  async (app: App, { organization_id }: Actor, times: object): Promise<object> => {
    const shown = Object.entries(times).map(([name, value]) => [
      name,
      typeof value === 'string' ? shorten(value, 20) : value,
    ])
    const fields = { organization_id, times: Object.fromEntries(shown) }
    logReport(app, 'info', fields, `a client reported how long ${kind} took`)
    return {}
  }

export const reportSendTimes = takeTimes('sending')
export const reportNarrowTimes = takeTimes('narrowing')
export const reportUnnarrowTimes = takeTimes('leaving a narrow')
