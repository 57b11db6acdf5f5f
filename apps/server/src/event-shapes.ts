import type { EventShape } from './events/event-shape.ts'
import { deleteEventShape } from './messages/delete-event-shape.ts'
import { messageEventShape } from './messages/message-event-shape.ts'
import { reactionEventShape } from './messages/reactions/event-shape.ts'
import { updateEventShape } from './messages/update-event-shape.ts'
import type { Secrets } from './platform/secrets.ts'
import { presenceEventShape } from './presence/event-shape.ts'
import { streamEventShape } from './streams/stream-event-shape.ts'
import { subscriptionEventShape } from './streams/subscriptions/event-shape.ts'
import { botEventShape } from './users/bots/event-shape.ts'
import { userEventShape } from './users/event-shape.ts'

/**
 * Shapes of event types that depend on the queue, or that are stored in another form than they are
 * sent in.
 */
export const eventShapes = (secrets: Secrets): EventShape[] => [
  userEventShape(secrets),
  botEventShape(secrets),
  streamEventShape,
  subscriptionEventShape,
  messageEventShape,
  updateEventShape,
  deleteEventShape,
  reactionEventShape,
  presenceEventShape,
]
