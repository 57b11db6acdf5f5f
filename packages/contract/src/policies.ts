import { allowedBy, type Decision, refusedBy } from './decisions.ts'

/** What a policy of an organization looks at in an account. */
export interface Standing {
  is_admin: boolean
  is_guest: boolean
  /** ISO 8601 */
  date_joined: string
}

const day = 86_400_000

/** Who may do what members may: 1 all of them, 2 administrators, 3 those who joined long enough ago. */
export function decideByPolicy(
  policy: number,
  threshold: number,
  account: Standing,
  now = Date.now(),
): Decision {
  if (account.is_guest) return refusedBy('not_for_guests')
  if (account.is_admin) return allowedBy('administrator')
  if (policy === 3) {
    const isFull = now - Date.parse(account.date_joined) >= threshold * day
    return isFull ? allowedBy('policy_full_members') : refusedBy('waiting_period')
  }
  return policy === 1 ? allowedBy('policy_members') : refusedBy('policy_administrators')
}

export function isAllowedBy(policy: number, threshold: number, account: Standing, now?: number): boolean {
  return decideByPolicy(policy, threshold, account, now).allowed
}
