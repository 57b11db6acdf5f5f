import { ApiError, type UserId } from '@oxbow/contract'
import { startSession } from '../identity/sessions.ts'
import type { Caller } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { sessionCookies } from '../platform/http/session-cookie.ts'
import { checkPassword } from './check-password.ts'
import { lockAccount } from './queries.ts'

export interface PasswordSignIn {
  username: string
  password: string
  is_trusted: boolean
}

export interface SignedIn {
  user_id: UserId
  /** The `Set-Cookie` headers of the new session. */
  cookies: string[]
}

/** Checks the password and starts a session. */
export async function signIn(app: App, caller: Caller, credentials: PasswordSignIn): Promise<SignedIn> {
  const account = await checkPassword(app, caller, credentials)
  const { organization_id, user_id, password_hash } = account
  const isTrusted = credentials.is_trusted
  const token = await inTransaction(app.db, async (tx) => {
    const locked = await lockAccount(tx, organization_id, user_id)
    // A new password ends all sessions, so a session must not start with the old password after
    // that.
    if (locked?.password_hash !== password_hash)
      throw new ApiError('LOGIN_INCORRECT', { reason: 'incorrect_creds' })
    if (!locked.is_active) throw new ApiError('LOGIN_ACCOUNT_DEACTIVATED', { reason: 'user disable' })
    return startSession(tx, app, { organization_id, user_id, caller, isTrusted })
  })
  return { user_id, cookies: sessionCookies(caller, { token, user_id, isTrusted }) }
}
