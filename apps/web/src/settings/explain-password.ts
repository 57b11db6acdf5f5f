import type { Refusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'

/** Returns the error message for the field of the current password; undefined for other errors. */
export function explainPassword({ name, reason }: Refusal): string | undefined {
  if (name === 'WRONG_PASSWORD' || name === 'LOGIN_INCORRECT' || name === 'AUTHENTICATION_FAILED')
    return t('account.password_wrong')
  return name === 'TOO_MANY_PASSWORD_ATTEMPTS' || name === 'RATE_LIMIT_HIT' ? reason : undefined
}
