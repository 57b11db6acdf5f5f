import { z } from 'zod'
import {
  anything,
  bodyHmac,
  id,
  ignore,
  integration,
  type Outcome,
  type OutgoingMessage,
  optional,
  postMessages,
  read,
  text,
  unsupported,
} from '../../writing.ts'
import { events, formatIncident } from './incident.ts'
import { readV1Incident, v1Events, v1Message } from './v1.ts'
import { readV2Incident, v2Events, v2Message } from './v2.ts'
import { readV3Incident, v3Event } from './v3.ts'

export const service = integration({
  title: 'PagerDuty',
  client: 'PagerDuty',
  category: 'Monitoring',
  signature: bodyHmac('X-PagerDuty-Signature', { prefix: 'v1=' }),
  deliveryId: ({ event }) => event?.id,
  events,
  payload: anything.extend({ event: optional(anything.extend({ id: optional(id) })) }),
  translate: ({ payload }) => (payload.event ? translateV3(payload) : translateV1OrV2(payload)),
})

const kind = z.object({ event: z.object({ event_type: text }) })

function translateV3(payload: unknown): Outcome {
  const { event_type } = read(kind, payload).event
  // PagerDuty sends this when a user tests the webhook.
  if (event_type === 'pagey.ping') return ignore()
  const event = events.find((message) => message === event_type)
  return event
    ? postMessages(formatIncident(readV3Incident(read(v3Event, payload), event)))
    : unsupported(event_type)
}

const webhookMessage = anything.extend({ type: optional(text), event: optional(text) })
const messagesPayload = z.object({ messages: z.array(webhookMessage).min(1) })

/**
 * Translates a delivery of the two older versions, which contains several events. Unknown events
 * are skipped.
 */
function translateV1OrV2(payload: unknown): Outcome {
  const { messages } = read(messagesPayload, payload)
  const outgoingMessages = messages.map(translateMessage).filter((message) => message !== undefined)
  const [first] = messages
  return outgoingMessages.length > 0
    ? postMessages(...outgoingMessages)
    : unsupported(first?.type ?? first?.event ?? 'unknown')
}

function translateMessage(message: z.output<typeof webhookMessage>): OutgoingMessage | undefined {
  const { type = '', event = '' } = message
  const first = v1Events.get(type)
  if (first) return formatIncident(readV1Incident(read(v1Message, message), first))
  const second = v2Events.get(event)
  return second && formatIncident(readV2Incident(read(v2Message, message), second))
}
