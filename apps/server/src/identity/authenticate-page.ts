import { ApiError, BotType } from '@oxbow/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { getAccountLimiter } from '../platform/http/account-limiter.ts'
import { readCaller, readFileCredentials } from '../platform/http/read-caller.ts'
import { refuseAboveLimit } from '../platform/http/request-limits.ts'
import { rerunIfActorChanged } from '../platform/http/rerun-action.ts'
import { readSessionCookie } from '../platform/http/session-cookie.ts'
import { authenticate } from './authenticate.ts'

/**
 * Authenticates a request for a file by the `Authorization` header, by a session, or by `api_key`
 * in the URL, for clients that cannot send the header.
 */
export async function authenticatePage(app: App, request: FastifyRequest): Promise<Actor> {
  const caller = readCaller(app, request)
  const actor = await authenticate(app, caller, readFileCredentials(caller, request))
  if (actor.bot_type === BotType.incomingWebhook) throw new ApiError('CLOSED_TO_WEBHOOK_BOTS')
  request.account = actor
  return actor
}

/**
 * Returns the account that is signed in in this browser; undefined if there is none. Only pages may
 * call this function, because it treats an expired session like a missing one. A page must call it
 * before any other work: it throws `RATE_LIMIT_HIT` after too many requests of the account or, if
 * nobody is signed in, of the network.
 */
export async function findSignedIn(app: App, request: FastifyRequest): Promise<Actor | undefined> {
  const actor = await authenticateBrowser(app, request)
  if (actor) refuseAboveLimit(app, getAccountLimiter(app).count(actor.user_id))
  else request.anonymousLimiter?.count(request.ip)
  return actor
}

/**
 * Runs the action of a page as the account that is signed in in this browser, if there is one. If
 * the account's role changes during the action, runs the action again with the new role.
 */
export async function runAsSignedIn<Result>(
  app: App,
  request: FastifyRequest,
  action: (actor: Actor | undefined) => Promise<Result>,
): Promise<Result> {
  const actor = await findSignedIn(app, request)
  return action(actor).catch((error: unknown) =>
    rerunIfActorChanged(error, async () =>
      action(await authenticateBrowser(app, request, { isFresh: true })),
    ),
  )
}

async function authenticateBrowser(
  app: App,
  request: FastifyRequest,
  { isFresh = false } = {},
): Promise<Actor | undefined> {
  const caller = readCaller(app, request)
  const session = readSessionCookie(caller, request.headers)
  if (!session) return undefined
  try {
    const actor = await authenticate(app, caller, session, { isFresh })
    request.account = actor
    return actor
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}
