import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object } from '../kernel/field.ts'

export const typingOperations = ['start', 'stop'] as const
export const aboutTypingOperation = '`start` when the user starts typing, `stop` when the user stops.'

const participant = object({ user_id: field(userId, texts.userId), email: field(z.string(), texts.email) })

export const typingEvent = eventSchema('typing', {
  op: field(z.enum(typingOperations), aboutTypingOperation),
  sender: field(participant, 'The user who is typing.'),
  recipients: field(z.array(participant), 'All people in the conversation, including the sender.'),
})
export type TypingEvent = z.infer<typeof typingEvent>
