import { ApiError, BotType, type Decision } from '@oxbow/contract'
import { decideByAdministratorPolicy } from '../../../organization/permissions.ts'
import type { Actor } from '../../../platform/actor.ts'
import type { OrganizationRow } from '../../../platform/database/tables.ts'

/**
 * Decides whether an account may create a bot of this type. Policies: 1 everyone may create bots; 2
 * only administrators may create generic bots; 3 only administrators may create bots.
 */
export function decideMayCreateBot(
  { role }: Pick<Actor, 'role'>,
  { bot_creation_policy: policy }: Pick<OrganizationRow, 'bot_creation_policy'>,
  type: number,
): Decision {
  const isOpen = policy === 1 || (policy === 2 && type !== BotType.generic)
  return decideByAdministratorPolicy(!isOpen, role)
}

export function refuseUnlessMayCreate(
  ...[actor, organization, type]: Parameters<typeof decideMayCreateBot>
): void {
  if (!decideMayCreateBot(actor, organization, type).allowed) throw new ApiError('MUST_BE_ADMINISTRATOR')
}
