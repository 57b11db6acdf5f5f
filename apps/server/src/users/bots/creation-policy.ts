import { ApiError, BotType, isAdministrator } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'

/** 1: everyone; 2: generic bots by administrators only; 3: all bots by administrators only. */
export function refuseUnlessMayCreate(
  { role }: Pick<Actor, 'role'>,
  { bot_creation_policy: policy }: Pick<OrganizationRow, 'bot_creation_policy'>,
  type: number,
): void {
  if (isAdministrator(role)) return
  const isAllowed = policy === 1 || (policy === 2 && type !== BotType.generic)
  if (!isAllowed) throw new ApiError('MUST_BE_ADMINISTRATOR')
}
