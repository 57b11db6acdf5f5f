import { allowedBy, type Decision, refusedBy } from './decisions.ts'

/** The properties of an account that policies depend on. */
export interface Standing {
  is_admin: boolean
  is_guest: boolean
  /** When the account was created, in ISO 8601. */
  date_joined: string
}

const dayMs = 86_400_000

/**
 * Applies a policy: 1 all members, 2 administrators, 3 members who joined at least `threshold` days
 * ago.
 */
export function decideByPolicy(
  policy: number,
  threshold: number,
  account: Standing,
  now = Date.now(),
): Decision {
  if (account.is_guest) return refusedBy('not_for_guests')
  if (account.is_admin) return allowedBy('administrator')
  if (policy === 3) {
    const isFull = now - Date.parse(account.date_joined) >= threshold * dayMs
    return isFull ? allowedBy('policy_full_members') : refusedBy('waiting_period')
  }
  return policy === 1 ? allowedBy('policy_members') : refusedBy('policy_administrators')
}

export function isAllowedBy(policy: number, threshold: number, account: Standing, now?: number): boolean {
  return decideByPolicy(policy, threshold, account, now).allowed
}
