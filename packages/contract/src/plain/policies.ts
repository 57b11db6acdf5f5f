import { allowedBy, type Decision, refusedBy } from './decisions.ts'

/** The properties of an account that policies depend on. */
export interface PolicyAccount {
  is_admin: boolean
  is_guest: boolean
  /** When the account was created, as an ISO 8601 string. */
  date_joined: string
}

const dayMs = 86_400_000

/**
 * Applies a policy: 1 allows all members, 2 only administrators, 3 only administrators and members
 * who joined at least `waitingPeriodDays` days ago. Guests are always refused.
 */
export function decideByPolicy(
  policy: number,
  waitingPeriodDays: number,
  account: PolicyAccount,
  now = Date.now(),
): Decision {
  if (account.is_guest) return refusedBy('not_for_guests')
  if (account.is_admin) return allowedBy('administrator')
  if (policy === 3) {
    const isFullMember = now - Date.parse(account.date_joined) >= waitingPeriodDays * dayMs
    return isFullMember ? allowedBy('policy_full_members') : refusedBy('waiting_period')
  }
  return policy === 1 ? allowedBy('policy_members') : refusedBy('policy_administrators')
}

export function isAllowedByPolicy(
  policy: number,
  waitingPeriodDays: number,
  account: PolicyAccount,
  now?: number,
): boolean {
  return decideByPolicy(policy, waitingPeriodDays, account, now).allowed
}
