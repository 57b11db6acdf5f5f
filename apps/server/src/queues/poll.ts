import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import type { Queue } from '../events/delivery/queue.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { EventStream } from '../platform/event-stream.ts'
import { type InPieces, JsonText } from '../platform/pieces.ts'
import { accessQueueToRead } from './access.ts'
import { type Events, lookFor, startOf } from './answer.ts'
import { hasQueueOptions } from './queue-options.ts'
import { openQueue } from './register.ts'
import { streamEvents } from './stream.ts'
import { WaitingPoll } from './waiting-poll.ts'

type Poll = typeof api.events.poll
type PollAnswer = InPieces<ResponseOf<Poll>>

export async function pollEvents(
  app: App,
  actor: Actor,
  given: ParamsOf<Poll>,
): Promise<PollAnswer | EventStream> {
  if (given.queue_id === undefined) return openInline(app, actor, given)
  const { queue, organization } = await accessQueueToRead(app, actor, given.queue_id)
  const cursor = await startOf(app, organization, queue, given.last_event_id)
  if (actor.wantsEventStream) {
    return new EventStream((signal) => streamEvents({ app, organization, queue, cursor, signal }))
  }
  for (;;) {
    const events = await lookFor(app, organization, queue, cursor)
    if (events.length > 0 || given.dont_block) return answerOf(queue, events)
    // From this look to the poll's listening nothing is awaited, so nothing can come between unheard.
    if (queue.scannedTo >= organization.position) break
  }
  const poll = new WaitingPoll({ app, organization, queue, cursor, client: actor.client })
  return answerOf(queue, await poll.answer())
}

function answerOf({ id }: Queue, events: Events): PollAnswer {
  return { events: new JsonText([`[${events.map(({ json }) => json).join()}]`]), queue_id: id }
}

/** As `register`, without the state; the answer says where the queue begins. */
async function openInline(app: App, actor: Actor, given: ParamsOf<Poll>): Promise<PollAnswer> {
  if (!hasQueueOptions(given)) throw new ApiError('QUEUE_ID_MISSING')
  const { queue_id, last_event_id } = await openQueue(app, actor, given, [])
  return { events: [], queue_id, last_event_id }
}
