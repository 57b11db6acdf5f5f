import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { noRecords } from '../events/delivery/queue.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { EventStream } from '../platform/event-stream.ts'
import { accessQueueToRead } from './access.ts'
import { hasQueueOptions } from './queue-options.ts'
import {
  buildPollResponse,
  findDeferredRecords,
  type PollResponse,
  readEvents,
  resolveCursor,
} from './read-events.ts'
import { openQueue } from './register.ts'
import { streamEvents } from './stream-events.ts'
import { type PendingRequest, WaitingPoll } from './waiting-poll.ts'

type Poll = typeof api.events.poll

/**
 * Serves a poll. A waiting poll retains only `resolve` and `reject`, to keep memory per poll small.
 */
export function pollEvents(
  app: App,
  actor: Actor,
  params: ParamsOf<Poll>,
): Promise<PollResponse | EventStream> {
  return new Promise((resolve, reject) => {
    servePoll(app, actor, params, { resolve, reject }).catch(reject)
  })
}

async function servePoll(
  app: App,
  actor: Actor,
  params: ParamsOf<Poll>,
  pending: PendingRequest,
): Promise<void> {
  const { queue_id, last_event_id, dont_block } = params
  if (queue_id === undefined) return pending.resolve(await openQueueByPoll(app, actor, params))
  const { queue, organization } = await accessQueueToRead(app, actor, queue_id)
  const cursor = await resolveCursor(app, organization, queue, last_event_id)
  if (queue.isDetached) return servePoll(app, actor, params, pending)
  if (actor.wantsEventStream) {
    const open = (signal: AbortSignal) => streamEvents({ app, actor, organization, queue, cursor, signal })
    return pending.resolve(new EventStream(open))
  }
  // A newer poll ends the older one, even if the newer one does not wait.
  queue.listener?.end()
  const deferred = dont_block ? noRecords : findDeferredRecords(organization, queue, cursor)
  if (deferred.length > 0) {
    new WaitingPoll({ app, organization, queue, cursor, actor }, pending).listen(deferred)
    return
  }
  for (;;) {
    const events = await readEvents(app, organization, queue, cursor)
    if (!events) return servePoll(app, actor, params, pending)
    if (events.length > 0 || dont_block) return pending.resolve(buildPollResponse(queue, events))
    // Nothing is awaited between this check and `listen`, so no record can be missed.
    if (queue.scannedTo >= organization.position) break
  }
  new WaitingPoll({ app, organization, queue, cursor, actor }, pending).listen()
}

/**
 * Opens a queue like `register`, but without state. The response contains the queue's first cursor.
 */
async function openQueueByPoll(app: App, actor: Actor, params: ParamsOf<Poll>): Promise<PollResponse> {
  if (!hasQueueOptions(params)) throw new ApiError('QUEUE_ID_MISSING')
  const { queue_id, last_event_id } = await openQueue(
    app,
    actor,
    { ...params, fetch_messages: undefined },
    [],
  )
  return { events: [], queue_id, last_event_id }
}
