import { ApiError, BotType, type Decision } from '@oxbow/contract'
import { decideByAdministratorPolicy } from '../../organization/permissions.ts'
import type { Actor } from '../../platform/actor.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'

/**
 * Policies: 1 everyone creates bots, 2 only administrators create generic bots, 3 only
 * administrators create bots.
 */
export function decideToCreateBot(
  { role }: Pick<Actor, 'role'>,
  { bot_creation_policy: policy }: Pick<OrganizationRow, 'bot_creation_policy'>,
  type: number,
): Decision {
  const isOpen = policy === 1 || (policy === 2 && type !== BotType.generic)
  return decideByAdministratorPolicy(!isOpen, role)
}

export function refuseUnlessMayCreate(
  ...[actor, organization, type]: Parameters<typeof decideToCreateBot>
): void {
  if (!decideToCreateBot(actor, organization, type).allowed) throw new ApiError('MUST_BE_ADMINISTRATOR')
}
