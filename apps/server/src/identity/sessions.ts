import { randomBytes } from 'node:crypto'
import type { OrganizationId, SessionId, UserId } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import type { Actor, Caller } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import {
  deleteSessionByToken,
  deleteSessions,
  deleteSurplusSessions,
  insertSession,
} from './session-queries.ts'

/** Returns the hash by which a session is looked up. It never equals the hash of an API key. */
export const hashToken = (secrets: Secrets, token: string): Buffer => secrets.hash(`session ${token}`)

interface SessionOwner {
  organization_id: OrganizationId
  user_id: UserId
}

export interface NewSession extends SessionOwner {
  /** The sign-in request. If it was sent with a session, that session ends. */
  caller: Caller
  /** Whether the user chose to stay signed in on this device. */
  isTrusted: boolean
}

/** Maximum number of sessions per account. Beyond it, a new session ends the least recently used one. */
const maxSessions = 100
const maxUserAgentLength = 300

/**
 * Starts a session and returns its token, which is not stored. The caller must lock the account's
 * row before it checks the password or link. Otherwise a concurrent change of the password, or a
 * deactivation, could miss the new session.
 */
export async function startSession(
  tx: Tx,
  { secrets }: Pick<App, 'secrets'>,
  { caller, isTrusted, organization_id, user_id }: NewSession,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const former = caller.browser?.sessionToken
  if (former !== undefined) await endSessionByToken(tx, organization_id, hashToken(secrets, former))
  const surplus = await deleteSurplusSessions(tx, { organization_id, user_id, maxRemaining: maxSessions - 1 })
  if (surplus > 0) emitSessionsEnded(tx, { organization_id, user_id })
  await insertSession(tx, {
    organization_id,
    user_id,
    token_hash: hashToken(secrets, token),
    is_trusted: isTrusted,
    user_agent: [...(caller.browser?.userAgent ?? '')].slice(0, maxUserAgentLength).join(''),
    address: caller.address,
  })
  return token
}

async function endSessionByToken(tx: Tx, organization_id: OrganizationId, hash: Buffer): Promise<void> {
  const owner = await deleteSessionByToken(tx, organization_id, hash)
  if (owner) emitSessionsEnded(tx, owner)
}

export interface SessionsToEnd extends SessionOwner {
  /** Ends this session only. */
  onlyId?: SessionId
  /** Ends all sessions except this one. */
  exceptId?: SessionId | undefined
}

/**
 * Ends sessions of an account, and returns how many it ended. After the commit, polls and event
 * streams of these sessions end on all nodes.
 */
export async function endSessions(tx: Tx, selection: SessionsToEnd): Promise<number> {
  const ended = await deleteSessions(tx, selection)
  if (ended > 0) emitSessionsEnded(tx, selection)
  return ended
}

/** Returns the session of the request; undefined if the request uses an API key. */
export const findCurrentSession = ({ credential }: Actor): SessionId | undefined =>
  credential.kind === 'session' ? credential.id : undefined

/**
 * Makes every node check the credentials of the account's waiting polls and event streams again.
 */
export function emitSessionsEnded(tx: Tx, { organization_id, user_id }: SessionOwner): void {
  emit(tx, { organization_id, effects: [{ kind: 'credentials', user: user_id }] })
}
