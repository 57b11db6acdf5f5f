import type { ScheduledMessage, ScheduledMessagesEvent } from '@oxbow/contract'
import { keepOnly } from './shared.ts'
import { findInsertIndex } from './sorted.ts'
import { type State, withFetched } from './state.ts'

export function applyScheduledMessages(state: State, event: ScheduledMessagesEvent): State {
  const { scheduled_messages = [] } = state
  return withFetched(state, { scheduled_messages: changeMessages(scheduled_messages, event) })
}

function changeMessages(messages: ScheduledMessage[], event: ScheduledMessagesEvent): ScheduledMessage[] {
  switch (event.op) {
    case 'add':
      return event.scheduled_messages.reduce(withMessage, messages)
    case 'update':
      return withMessage(messages, event.scheduled_message)
    case 'remove':
      return keepOnly(messages, ({ scheduled_message_id: id }) => id !== event.scheduled_message_id)
  }
}

/** Adds the message, or replaces the one with the same id, and keeps the list sorted by time. */
function withMessage(messages: ScheduledMessage[], added: ScheduledMessage): ScheduledMessage[] {
  const others = keepOnly(messages, ({ scheduled_message_id: id }) => id !== added.scheduled_message_id)
  const index = findInsertIndex(others, (other) => isBefore(other, added))
  return others.toSpliced(index, 0, added)
}

const isBefore = (a: ScheduledMessage, b: ScheduledMessage): boolean =>
  a.scheduled_delivery_timestamp === b.scheduled_delivery_timestamp
    ? a.scheduled_message_id < b.scheduled_message_id
    : a.scheduled_delivery_timestamp < b.scheduled_delivery_timestamp
