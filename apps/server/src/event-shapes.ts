import type { EventShape } from './events/event-shape.ts'
import { userEventShape } from './users/event-shape.ts'

/** Events that look different to different queues. */
export const eventShapes: readonly EventShape[] = [userEventShape]
