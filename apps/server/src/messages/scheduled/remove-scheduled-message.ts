import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { scheduledMessageRemoved } from './events.ts'
import { deleteScheduledMessage } from './queries.ts'

type Remove = typeof api.scheduledMessages.remove

export async function removeScheduledMessage(
  app: App,
  actor: Actor,
  { scheduled_message_id: id }: ParamsOf<Remove>,
): Promise<ResponseOf<Remove>> {
  const { organization_id, user_id: sender_id } = actor
  return writeAs(app, actor, async (tx) => {
    // This waits for a running delivery, after which the message no longer exists.
    if (!(await deleteScheduledMessage(tx, actor, id))) throw new ApiError('SCHEDULED_MESSAGE_UNKNOWN')
    emit(tx, scheduledMessageRemoved({ organization_id, id, sender_id }))
    return {}
  })
}
