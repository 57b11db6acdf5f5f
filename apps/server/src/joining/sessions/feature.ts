import type { api } from '@oxbow/contract'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { createSession } from './create-session.ts'
import { endCurrentSession, endOtherSessions, endSession, endSessionsOfUser } from './end-sessions.ts'
import { listSessions } from './list-sessions.ts'
import { loginPages } from './login-pages.ts'

const sessionRoutes: Routes<typeof api.sessions> = {
  create: createSession,
  list: listSessions,
  end: endSession,
  endOthers: endOtherSessions,
  endCurrent: endCurrentSession,
  endOfUser: endSessionsOfUser,
}

/** Signing in and out in a browser, and listing and ending sessions. */
export const sessionsFeature = {
  routes: { sessions: sessionRoutes },
  pages: loginPages,
} satisfies Feature
