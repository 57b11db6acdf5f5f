import { Role } from '@oxbow/contract/plain'
import { isAdministrator, isOwner } from '../data/store.ts'
import { t } from '../text/t.ts'

const names: Record<number, () => string> = {
  [Role.owner]: () => t('role.owner'),
  [Role.administrator]: () => t('role.administrator'),
  [Role.member]: () => t('role.member'),
  [Role.guest]: () => t('role.guest'),
}

/** Names a role by its number in the protocol. */
export const nameRole = (role: number): string => names[role]?.() ?? String(role)

/** Roles that the user can give to invited people: none above the user's own. Reads signals. */
export function listGivenRoles(): number[] {
  return [
    Role.member,
    Role.guest,
    ...(isAdministrator.value ? [Role.administrator] : []),
    ...(isOwner.value ? [Role.owner] : []),
  ]
}
