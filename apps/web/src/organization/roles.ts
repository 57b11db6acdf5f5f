import { Role } from '@oxbow/contract/plain'
import { isAdministrator, isOwner } from '../client/store.ts'
import { t } from '../text/t.ts'

const names: Record<number, () => string> = {
  [Role.owner]: () => t('role.owner'),
  [Role.administrator]: () => t('role.administrator'),
  [Role.member]: () => t('role.member'),
  [Role.guest]: () => t('role.guest'),
}

/** Returns the name of a role, given as the protocol's number. */
export const nameRole = (role: number): string => names[role]?.() ?? String(role)

/** Lists the roles that the user can give to invited people: none above the user's own. Reads signals. */
export function listAssignableRoles(): number[] {
  return [
    Role.member,
    Role.guest,
    ...(isAdministrator.value ? [Role.administrator] : []),
    ...(isOwner.value ? [Role.owner] : []),
  ]
}
