import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { createSession } from './create-session.ts'
import { endCurrentSession, endOtherSessions, endSession, endSessionsOfUser } from './end-sessions.ts'
import { listSessions } from './list-sessions.ts'

export const sessionRoutes: Routes<typeof api.sessions> = {
  create: createSession,
  list: listSessions,
  end: endSession,
  endOthers: endOtherSessions,
  endCurrent: endCurrentSession,
  endOfUser: endSessionsOfUser,
}
