import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Event } from '@oxbow/contract'
import { knownDifferences } from '../model/known-differences.ts'
import {
  type ExpectedEvent,
  flagsIfReceived,
  flagsOf,
  isReceived,
  type Model,
  streamOf,
} from '../model/model.ts'
import type { QueueOptions, Watch } from '../server/queues.ts'

/** Asserts that a queue got exactly the events that the model expects, each once and in order. */
export function checkEvents(
  model: Model,
  { name, options, queue }: Watch,
  events: readonly Event[],
  nameOf: (id: number) => string,
): void {
  const who = `the queue of ${name} with ${describe(options)} (${queue.queue_id})`
  const receivedByMessage = Map.groupBy(
    events.flatMap((event) => summarize(event, nameOf)),
    ({ message }) => message,
  )
  const expected = Map.groupBy(
    model.expectedEvents.flatMap((event) => expectedOf(event, name, options)),
    ({ message }) => message,
  )
  for (const message of new Set([...receivedByMessage.keys(), ...expected.keys()])) {
    const expectedEvents = expected.get(message) ?? []
    const isExpected = (what: string) =>
      what !== 'delete' || expectedEvents.some((event) => event.what === what)
    const isAccepted =
      knownDifferences.losersGetAllDeletions && [...expected.values()].flat().some(isDeletion)
    const real = (receivedByMessage.get(message) ?? []).filter(({ what }) => !isAccepted || isExpected(what))
    const isSame = matches(
      real.map(({ what }) => what),
      expectedEvents,
    )
    const list = (all: readonly { what: string }[]) => all.map(({ what }) => what).join('; ') || 'nothing'
    assert.ok(
      isSame,
      `${who} heard of message ${message}: ${list(real)}, and should: ${list(expectedEvents)}`,
    )
  }
  for (const event of events) if (event.type === 'update_message') checkFlags(model, name, event, who)
}

interface ReceivedEvent {
  message: number
  what: string
}
interface Expected extends ReceivedEvent {
  isCertain: boolean
}

function summarize(event: Event, nameOf: (id: number) => string): ReceivedEvent[] {
  switch (event.type) {
    case 'message':
      return [{ message: event.message.id, what: `message ${event.flags}` }]
    case 'update_message': {
      const { message_id, content, subject, new_stream_id: to } = event
      const topic = subject === undefined ? [] : [`topic ${subject}`]
      const move = [...(to ? [`to ${to}`] : []), ...topic].join(' ')
      return [
        ...(content === undefined ? [] : [{ message: message_id, what: `content ${content}` }]),
        ...(move === '' ? [] : event.message_ids.map((message) => ({ message, what: move }))),
      ]
    }
    case 'delete_message': {
      const ids = event.message_ids ?? (event.message_id === undefined ? [] : [event.message_id])
      return ids.map((message) => ({ message, what: 'delete' }))
    }
    case 'reaction': {
      const { message_id: message, op, emoji_name, user_id } = event
      return [{ message, what: `${op} ${emoji_name} by ${nameOf(user_id)}` }]
    }
    case 'submessage': {
      const { message_id: message, content, sender_id } = event
      return [{ message, what: `submessage ${content} by ${nameOf(sender_id)}` }]
    }
    default:
      return []
  }
}

function expectedOf(event: ExpectedEvent, name: Watch['name'], options: QueueOptions): Expected[] {
  const { message, to, toAllPublic, uncertainTo, sent } = event
  const isWidened = (options.allPublic ?? false) && toAllPublic.has(name)
  const isCertain = to.has(name) || isWidened
  if (!isCertain && !uncertainTo.has(name)) return []
  const flags = sent?.flags.get(name) ?? []
  if (sent && !fitsNarrow(sent, flags, options)) return []
  return [{ message, what: sent ? `message ${flags}` : event.what, isCertain }]
}

function fitsNarrow(
  { stream, topic }: NonNullable<ExpectedEvent['sent']>,
  flags: readonly string[],
  { narrow }: QueueOptions,
): boolean {
  if (!narrow) return true
  if ('stream' in narrow) return stream === narrow.stream
  if ('topic' in narrow) return stream !== null && topic.toLowerCase() === narrow.topic.toLowerCase()
  if (narrow.is === 'private') return stream === null
  return narrow.is === 'unread' ? !flags.includes('read') : flags.includes('mentioned')
}

const isDeletion = ({ what }: ReceivedEvent) => what === 'delete'

/** Returns whether `real` has every certain event in order, and besides them only uncertain ones. */
function matches(real: readonly string[], expected: readonly Expected[]): boolean {
  let next = 0
  for (const { what, isCertain } of expected) {
    if (real[next] === what) next++
    else if (isCertain) return false
  }
  return next === real.length
}

/** Checks that the event of an edit contains the user's current flags, if the user is in its audience. */
function checkFlags(
  model: Model,
  name: Watch['name'],
  { message_id, flags }: Extract<Event, { type: 'update_message' }>,
  who: string,
): void {
  const message = model.messages.get(message_id)
  const isInAudience = model.expectedEvents.some(
    ({ message: id, sent, to }) => id === message_id && !sent && to.has(name),
  )
  if (!message || !isInAudience) return
  const isMember = message.people ?? streamOf(model, message.streamId).members.has(name)
  if (knownDifferences.editsForgetWildcards && message.text.mentionsAll && !isMember) return
  const hasIt = isReceived(model, name, message)
  // A user who lost the message later in the same round still had its flags when it was edited.
  if (!hasIt && isDeepStrictEqual(flags, flagsIfReceived(name, message))) return
  const expectedFlags = hasIt ? flagsOf(model, name, message) : ['read']
  assert.deepEqual(flags, expectedFlags, `${who} heard of an edit of message ${message_id} with other flags`)
}

function describe({ allPublic, narrow }: QueueOptions): string {
  if (allPublic) return 'all public streams'
  if (!narrow) return 'nothing special'
  if ('stream' in narrow) return `the narrow stream:${narrow.stream}`
  return `the narrow ${JSON.stringify(narrow)}`
}
