import { z } from 'zod'
import {
  anything,
  bodyHmac,
  id,
  ignore,
  integration,
  type Outcome,
  optional,
  read,
  type Said,
  say,
  text,
  unsupported,
} from '../../writing.ts'
import { events, messageOf } from './incident.ts'
import { incidentOfV1, v1Events, v1Message } from './v1.ts'
import { incidentOfV2, v2Events, v2Message } from './v2.ts'
import { incidentOfV3, v3Event } from './v3.ts'

export const service = integration({
  title: 'PagerDuty',
  client: 'PagerDuty',
  category: 'Monitoring',
  signature: bodyHmac('X-PagerDuty-Signature', { prefix: 'v1=' }),
  deliveryId: ({ event }) => event?.id,
  events,
  payload: anything.extend({ event: optional(anything.extend({ id: optional(id) })) }),
  translate: ({ payload }) => (payload.event ? tellEvent(payload) : tellMessages(payload)),
})

const kind = z.object({ event: z.object({ event_type: text }) })

function tellEvent(payload: unknown): Outcome {
  const { event_type } = read(kind, payload).event
  // Sent by the button that tests the webhook.
  if (event_type === 'pagey.ping') return ignore()
  const event = events.find((each) => each === event_type)
  return event ? say(messageOf(incidentOfV3(read(v3Event, payload), event))) : unsupported(event_type)
}

const sent = anything.extend({ type: optional(text), event: optional(text) })
const several = z.object({ messages: z.array(sent).min(1) })

/** The two older versions send several at once, of which some may be unknown. */
function tellMessages(payload: unknown): Outcome {
  const { messages } = read(several, payload)
  const said = messages.map(tellMessage).filter((each) => each !== undefined)
  const [first] = messages
  return said.length > 0 ? say(...said) : unsupported(first?.type ?? first?.event ?? 'unknown')
}

function tellMessage(message: z.output<typeof sent>): Said | undefined {
  const { type = '', event = '' } = message
  const first = v1Events.get(type)
  if (first) return messageOf(incidentOfV1(read(v1Message, message), first))
  const second = v2Events.get(event)
  return second && messageOf(incidentOfV2(read(v2Message, message), second))
}
