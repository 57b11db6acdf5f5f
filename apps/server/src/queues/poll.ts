import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { noRecords } from '../events/delivery/queue.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { EventStream } from '../platform/event-stream.ts'
import { accessQueueToRead } from './access.ts'
import { answerOf, findUnhurried, lookFor, type PollAnswer, startOf } from './answer.ts'
import { hasQueueOptions } from './queue-options.ts'
import { openQueue } from './register.ts'
import { streamEvents } from './stream.ts'
import { type Asker, WaitingPoll } from './waiting-poll.ts'

type Poll = typeof api.events.poll

/** Whoever waits keeps the two functions and nothing else of what led there: there may be tens of thousands. */
export function pollEvents(app: App, actor: Actor, given: ParamsOf<Poll>): Promise<PollAnswer | EventStream> {
  return new Promise((resolve, reject) => {
    answerPoll(app, actor, given, { resolve, reject }).catch(reject)
  })
}

async function answerPoll(app: App, actor: Actor, given: ParamsOf<Poll>, asker: Asker): Promise<void> {
  const { queue_id, last_event_id, dont_block } = given
  if (queue_id === undefined) return asker.resolve(await openInline(app, actor, given))
  const { queue, organization } = await accessQueueToRead(app, actor, queue_id)
  const cursor = await startOf(app, organization, queue, last_event_id)
  if (queue.isDetached) return answerPoll(app, actor, given, asker)
  if (actor.wantsEventStream) {
    const open = (signal: AbortSignal) => streamEvents({ app, actor, organization, queue, cursor, signal })
    return asker.resolve(new EventStream(open))
  }
  // Of two polls the older one is answered, also where the newer one need not wait.
  queue.listener?.end()
  const unhurried = dont_block ? noRecords : findUnhurried(organization, queue, cursor)
  if (unhurried.length > 0) {
    new WaitingPoll({ app, organization, queue, cursor, actor }, asker).listen(unhurried)
    return
  }
  for (;;) {
    const events = await lookFor(app, organization, queue, cursor)
    if (!events) return answerPoll(app, actor, given, asker)
    if (events.length > 0 || dont_block) return asker.resolve(answerOf(queue, events))
    // From this look to the poll's listening nothing is awaited, so nothing can come between unheard.
    if (queue.scannedTo >= organization.position) break
  }
  new WaitingPoll({ app, organization, queue, cursor, actor }, asker).listen()
}

/** As `register`, without the state; the answer says where the queue begins. */
async function openInline(app: App, actor: Actor, given: ParamsOf<Poll>): Promise<PollAnswer> {
  if (!hasQueueOptions(given)) throw new ApiError('QUEUE_ID_MISSING')
  const { queue_id, last_event_id } = await openQueue(app, actor, given, [])
  return { events: [], queue_id, last_event_id }
}
