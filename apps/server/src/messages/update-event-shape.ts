import type { MessageFlag, UserId } from '@oxbow/contract'
import type { EventShape, Loaded } from '../events/event-shape.ts'
import { listFlags } from './flag-queries.ts'
import { viewFlags } from './read/views.ts'

/**
 * The flags of users who did not receive the message, or who have read it and have no other flag.
 */
const defaultFlags: readonly MessageFlag[] = ['read']

/**
 * Adds each reader's current flags of the edited message at delivery, because they may have changed
 * since the edit.
 */
export const updateEventShape: EventShape = {
  type: 'update_message',
  variant: () => '',
  async load(db, organization_id, { event }) {
    const { message_id } = JSON.parse(event ?? '{}') as { message_id: number }
    const rows = await listFlags(db, organization_id, message_id)
    return new Map(rows.map((row) => [row.user_id, JSON.stringify(viewFlags(row))]))
  },
  render: (event) => [event],
  readerFields: (user_id, loaded) => ({ flags: parseFlags(user_id, loaded) }),
}

function parseFlags(user_id: UserId, loaded: Loaded | undefined): readonly MessageFlag[] {
  const own = loaded?.get(user_id)
  return own === undefined ? defaultFlags : (JSON.parse(own) as MessageFlag[])
}
