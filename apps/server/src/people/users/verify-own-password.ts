import { ApiError } from '@oxbow/contract'
import { errorForInvalidCredential } from '../../identity/authenticate.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { admitAttempt, recordSuccess } from '../../sign-in/sign-in-attempts.ts'
import { findUser } from './queries.ts'

/**
 * Throws if the password of the actor's account is wrong. Attempts are counted and delayed like
 * sign-ins. Returns the hash that the password was compared with.
 */
export async function verifyOwnPassword(
  app: App,
  { organization_id, user_id, address, credential }: Actor,
  password: string,
): Promise<string | null> {
  const user = await findUser(app.db, organization_id, user_id)
  if (!user) throw new ApiError(errorForInvalidCredential(credential))
  const username = user.delivery_email
  const attempt = await admitAttempt(app, { organization_id, username, address })
  if ('retryAfter' in attempt)
    throw new ApiError('TOO_MANY_PASSWORD_ATTEMPTS', { seconds: attempt.retryAfter })
  if (!(await app.passwords.verify(user.password_hash, password, attempt)))
    throw new ApiError('WRONG_PASSWORD')
  await recordSuccess(app.db, attempt, user_id)
  return user.password_hash
}
