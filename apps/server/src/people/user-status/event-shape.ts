import type { OrganizationId, UserId, UserStatus } from '@oxbow/contract'
import type { EventShape, Loaded } from '../../events/event-shape.ts'
import { parseEvent } from '../../events/record.ts'
import type { Db } from '../../platform/database/database.ts'
import { readStatusesAsJson } from './queries.ts'

/** Renders statuses. A record with users who `appeared` to guests becomes one event for each who has a status. */
export const userStatusEventShape: EventShape = {
  type: 'user_status',
  variant: () => '',
  load(db, organization_id, record) {
    const { appeared } = parseEvent(record)
    return appeared ? loadStatuses(db, organization_id, appeared as UserId[]) : undefined
  },
  render(event, _variant, loaded) {
    if (!event.appeared) return [event]
    const { type } = event
    return [...(loaded ?? [])].map(([user_id, status]) => ({
      type,
      user_id,
      ...(JSON.parse(status) as object),
    }))
  },
}

/** Loads the statuses as they are now. Later changes have events of their own. */
async function loadStatuses(
  db: Db,
  organization_id: OrganizationId,
  ids: readonly UserId[],
): Promise<Loaded> {
  const statuses = JSON.parse(await readStatusesAsJson(db, organization_id, ids)) as Record<
    string,
    UserStatus
  >
  return new Map(Object.entries(statuses).map(([id, status]) => [Number(id), JSON.stringify(status)]))
}
