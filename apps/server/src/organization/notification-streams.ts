import type { OrganizationId, StreamId } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import type { Tx } from '../platform/database/database.ts'
import { lockOrganization, updateOrganization } from './queries.ts'

const streamSettings = ['notifications_stream_id', 'signup_notifications_stream_id'] as const
const noStream = -1

/**
 * Unsets the organization's settings that name the archived stream for notifications. All users get
 * the event, even those who never saw the stream.
 */
export async function unsetNotificationStream(tx: Tx, id: OrganizationId, stream: StreamId): Promise<void> {
  const organization = await lockOrganization(tx, id)
  for (const property of streamSettings) {
    if (organization[property] !== stream) continue
    await updateOrganization(tx, id, { [property]: null })
    emit(tx, {
      organization_id: id,
      event: { type: 'realm', op: 'update', property, value: noStream },
      to: { roles: 'everyone' },
      effects: [{ kind: 'organization' }],
    })
  }
}
