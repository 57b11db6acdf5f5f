import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { endSessions, findCurrentSession } from '../../identity/sessions.ts'
import { writeAs } from '../../identity/write-as.ts'
import { accessUserToSignOut } from '../../people/users/access.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { removedSessionCookies } from '../../platform/http/session-cookie.ts'
import { ResultWithHeaders } from '../../platform/result-with-headers.ts'

export async function endSession(
  app: App,
  actor: Actor,
  { session_id }: ParamsOf<typeof api.sessions.end>,
): Promise<object> {
  const { organization_id, user_id } = actor
  return writeAs(app, actor, async (tx) => {
    const ended = await endSessions(tx, { organization_id, user_id, onlyId: session_id })
    if (ended === 0) throw new ApiError('NO_SUCH_SESSION')
    return {}
  })
}

/**
 * Ends all sessions of the actor except the one of the request. If the request uses an API key, all
 * sessions end.
 */
export async function endOtherSessions(app: App, actor: Actor): Promise<object> {
  const { organization_id, user_id } = actor
  return writeAs(app, actor, async (tx) => {
    await endSessions(tx, { organization_id, user_id, exceptId: findCurrentSession(actor) })
    return {}
  })
}

export async function endCurrentSession(app: App, actor: Actor): Promise<ResultWithHeaders<object>> {
  await signOut(app, actor)
  return new ResultWithHeaders({}, signedOutHeaders(actor))
}

/** Ends the session of the request. Throws if the request was authenticated with an API key. */
export async function signOut(app: App, actor: Actor): Promise<void> {
  const { organization_id, user_id } = actor
  const onlyId = findCurrentSession(actor)
  if (onlyId === undefined) throw new ApiError('NO_CURRENT_SESSION')
  await writeAs(app, actor, (tx) => endSessions(tx, { organization_id, user_id, onlyId }))
}

/** Returns headers that make a browser delete the session cookie and the data that pages stored. */
export const signedOutHeaders = (actor: Pick<Actor, 'origin'>): Record<string, string | string[]> => ({
  'set-cookie': removedSessionCookies(actor),
  'clear-site-data': '"storage", "cache"',
})

export async function endSessionsOfUser(
  app: App,
  actor: Actor,
  params: ParamsOf<typeof api.sessions.endOfUser>,
): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    const { organization_id, id: user_id } = await accessUserToSignOut(tx, actor, params.user_id)
    await endSessions(tx, { organization_id, user_id })
    return {}
  })
}
