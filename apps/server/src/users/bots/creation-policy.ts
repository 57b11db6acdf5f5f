import { ApiError, BotType, type Decision } from '@oxbow/contract'
import { decideByAdministratorPolicy } from '../../organization/permissions.ts'
import type { Actor } from '../../platform/actor.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'

/** 1: everyone; 2: generic bots by administrators only; 3: all bots by administrators only. */
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
