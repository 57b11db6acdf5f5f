import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { getPresence } from './get-presence.ts'
import { listPresence } from './list-presence.ts'
import { listPresenceOfUsers } from './list-presence-of.ts'
import { reportPresence } from './report-presence.ts'

export const presenceRoutes: Routes<typeof api.presence> = {
  report: reportPresence,
  get: getPresence,
  list: listPresence,
  listOf: listPresenceOfUsers,
}
