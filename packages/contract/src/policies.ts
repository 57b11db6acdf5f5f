/** What a policy of an organization looks at in an account. */
export interface Standing {
  is_admin: boolean
  is_guest: boolean
  /** ISO 8601 */
  date_joined: string
}

const day = 86_400_000

/** Who may do what members may: 1 all of them, 2 administrators, 3 those who joined long enough ago. */
export function isAllowedBy(policy: number, threshold: number, account: Standing, now = Date.now()): boolean {
  if (account.is_guest) return false
  if (account.is_admin) return true
  if (policy === 3) return now - Date.parse(account.date_joined) >= threshold * day
  return policy === 1
}
