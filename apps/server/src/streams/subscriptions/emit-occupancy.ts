import { type OrganizationId, Role } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { notGuests } from '../audiences.ts'
import type { streamsOccupied, streamsVacated } from '../events.ts'
import type { Subscriber } from './queries.ts'

/**
 * Emits that public streams got their first subscriber or lost their last one. Guests are notified
 * only of streams that they just joined or left.
 */
export function emitOccupancy(
  tx: Tx,
  organization_id: OrganizationId,
  buildEmission: typeof streamsOccupied | typeof streamsVacated,
  changed: readonly (readonly [StreamRow, readonly { subscriber: Subscriber }[]])[],
): void {
  if (changed.length === 0) return
  const streams = changed.map(([stream]) => stream)
  emit(tx, buildEmission(organization_id, streams, { roles: notGuests }))
  for (const [stream, pairs] of changed) {
    const guests = pairs.filter(({ subscriber }) => subscriber.role === Role.guest)
    const users = guests.map(({ subscriber }) => subscriber.id)
    if (users.length > 0) emit(tx, buildEmission(organization_id, [stream], { users }))
  }
}
