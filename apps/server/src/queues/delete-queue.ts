import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import { deleteQueueRow } from '../events/queue-rows.ts'
import { writeAs } from '../identity/write-as.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { accessQueueRow } from './access.ts'
import { WaitingPoll } from './waiting-poll.ts'

/**
 * Deletes the queue. A poll that waits on this node gets an empty response; polls on other nodes
 * end when the nodes read the record of the deletion.
 */
export async function deleteQueue(
  app: App,
  actor: Actor,
  { queue_id }: ParamsOf<typeof api.events.deleteQueue>,
): Promise<object> {
  await accessQueueRow(app, actor, queue_id, 'NOT_YOUR_QUEUE')
  const { organization_id } = actor
  await writeAs(app, actor, async (tx) => {
    const existed = await deleteQueueRow(tx, organization_id, queue_id)
    if (!existed) throw new ApiError('BAD_EVENT_QUEUE_ID', { queue_id })
    emit(tx, { organization_id, effects: [{ kind: 'queues', ended: [queue_id] }] })
    return {}
  })
  const organization = app.events.log.organizations.get(organization_id)
  const queue = organization?.queues.get(queue_id)
  if (queue?.listener instanceof WaitingPoll) queue.listener.end()
  if (queue) organization?.endQueue(queue)
  return {}
}
