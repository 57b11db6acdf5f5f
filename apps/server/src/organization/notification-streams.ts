import type { OrganizationId, StreamId } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import type { Tx } from '../platform/database/database.ts'
import { lockOrganization, updateOrganization } from './queries.ts'

const settings = ['notifications_stream_id', 'signup_notifications_stream_id'] as const
const none = -1

/** Notices cannot go to a stream that is gone. Everyone is told, also those who never saw the stream. */
export async function forgetNotificationStream(tx: Tx, id: OrganizationId, stream: StreamId): Promise<void> {
  const organization = await lockOrganization(tx, id)
  for (const property of settings) {
    if (organization[property] !== stream) continue
    await updateOrganization(tx, id, { [property]: null })
    emit(tx, {
      organization_id: id,
      event: { type: 'realm', op: 'update', property, value: none },
      to: { roles: 'everyone' },
      effects: [{ kind: 'organization' }],
    })
  }
}
