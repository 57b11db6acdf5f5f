import assert from 'node:assert/strict'
import type { Event } from '@oxbow/contract'
import { accepted } from '../model/accepted.ts'
import { flagsOf, isReceived, type Model, streamOf, type Telling } from '../model/model.ts'
import type { Asked, Watch } from '../server/queues.ts'

/** Everyone hears what the model told them, each once and in order, and nothing else. */
export function checkHeard(
  model: Model,
  { name, asked, queue }: Watch,
  events: readonly Event[],
  nameOf: (id: number) => string,
): void {
  const who = `the queue of ${name} with ${describe(asked)} (${queue.queue_id})`
  const heard = Map.groupBy(
    events.flatMap((event) => briefly(event, nameOf)),
    ({ message }) => message,
  )
  const expected = Map.groupBy(
    model.told.flatMap((telling) => expectedOf(telling, name, asked)),
    ({ message }) => message,
  )
  for (const message of new Set([...heard.keys(), ...expected.keys()])) {
    const wanted = expected.get(message) ?? []
    const isTold = (what: string) => what !== 'delete' || wanted.some((each) => each.what === what)
    const isAccepted = accepted.losersHearOfAll && [...expected.values()].flat().some(isDeletion)
    const real = (heard.get(message) ?? []).filter(({ what }) => !isAccepted || isTold(what))
    const isSame = matches(
      real.map(({ what }) => what),
      wanted,
    )
    const list = (all: readonly { what: string }[]) => all.map(({ what }) => what).join('; ') || 'nothing'
    assert.ok(isSame, `${who} heard of message ${message}: ${list(real)}, and should: ${list(wanted)}`)
  }
  for (const event of events) if (event.type === 'update_message') checkFlags(model, name, event, who)
}

interface Heard {
  message: number
  what: string
}
interface Expected extends Heard {
  isCertain: boolean
}

function briefly(event: Event, nameOf: (id: number) => string): Heard[] {
  switch (event.type) {
    case 'message':
      return [{ message: event.message.id, what: `message ${event.flags}` }]
    case 'update_message': {
      const { message_id, content, subject, new_stream_id: to } = event
      const topic = subject === undefined ? [] : [`topic ${subject}`]
      const place = [...(to ? [`to ${to}`] : []), ...topic].join(' ')
      return [
        ...(content === undefined ? [] : [{ message: message_id, what: `content ${content}` }]),
        ...(place === '' ? [] : event.message_ids.map((message) => ({ message, what: place }))),
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
    default:
      return []
  }
}

function expectedOf(telling: Telling, name: Watch['name'], asked: Asked): Expected[] {
  const { message, to, toAllPublic, perhapsTo, sent } = telling
  const isWidened = (asked.allPublic ?? false) && toAllPublic.has(name)
  const isCertain = to.has(name) || isWidened
  if (!isCertain && !perhapsTo.has(name)) return []
  const flags = sent?.flags.get(name) ?? []
  if (sent && !fitsNarrow(sent, flags, asked)) return []
  return [{ message, what: sent ? `message ${flags}` : telling.what, isCertain }]
}

function fitsNarrow(
  { stream, topic }: NonNullable<Telling['sent']>,
  flags: readonly string[],
  { narrow }: Asked,
): boolean {
  if (!narrow) return true
  if ('stream' in narrow) return stream === narrow.stream
  if ('topic' in narrow) return stream !== null && topic.toLowerCase() === narrow.topic.toLowerCase()
  if (narrow.is === 'private') return stream === null
  return narrow.is === 'unread' ? !flags.includes('read') : flags.includes('mentioned')
}

const isDeletion = ({ what }: Heard) => what === 'delete'

/** All that are certain, in order, and of the others as many as one likes. */
function matches(real: readonly string[], wanted: readonly Expected[]): boolean {
  let next = 0
  for (const { what, isCertain } of wanted) {
    if (real[next] === what) next++
    else if (isCertain) return false
  }
  return next === real.length
}

/** Of those whom it is meant for, as they are now. */
function checkFlags(
  model: Model,
  name: Watch['name'],
  { message_id, flags }: Extract<Event, { type: 'update_message' }>,
  who: string,
): void {
  const message = model.messages.get(message_id)
  const isMeant = model.told.some(
    ({ message: told, sent, to }) => told === message_id && !sent && to.has(name),
  )
  if (!message || !isMeant) return
  const isThere = message.people ?? streamOf(model, message.place).members.has(name)
  if (accepted.editsForgetWildcards && message.text.mentionsAll && !isThere) return
  const wanted = isReceived(model, name, message) ? flagsOf(model, name, message) : ['read']
  assert.deepEqual(flags, wanted, `${who} heard of an edit of message ${message_id} with other flags`)
}

function describe({ allPublic, narrow }: Asked): string {
  if (allPublic) return 'all public streams'
  if (!narrow) return 'nothing special'
  if ('stream' in narrow) return `the narrow stream:${narrow.stream}`
  return `the narrow ${JSON.stringify(narrow)}`
}
