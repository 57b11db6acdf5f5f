import type { RenderedEvent } from './render.ts'

interface Flags {
  operation: string
  flag: string
  all: boolean
  messages: number[]
}

/**
 * Among events that were not handed out yet, the newest of a family stands for all of it: restarts, and changes of the
 * same flag in the same way, whose messages are put together. The ids of the others are left out.
 */
export function mergeFamilies(events: readonly RenderedEvent[]): readonly RenderedEvent[] {
  const members = Map.groupBy(events, familyOf)
  members.delete(undefined)
  if (![...members.values()].some((family) => family.length > 1)) return events
  return events.flatMap((event) => {
    const family = members.get(familyOf(event)) ?? [event]
    return family.at(-1) === event ? [family.length === 1 ? event : merged(family, event)] : []
  })
}

const families = ['restart', 'update_message_flags']
const inText = new RegExp(`"type":"(${families.join('|')})"`)

/** Most types have no families, and events of them need not be looked at. */
export const mayMerge = (type: string | undefined): boolean => families.includes(type ?? '')

function familyOf({ json }: RenderedEvent): string | undefined {
  const type = inText.exec(json)?.[1]
  if (!type) return undefined
  const event = JSON.parse(json) as Flags & { type: string }
  if (event.type === 'restart') return 'restart'
  if (event.type !== 'update_message_flags' || event.all) return undefined
  return `${event.operation} ${event.flag}`
}

function merged(family: readonly RenderedEvent[], newest: RenderedEvent): RenderedEvent {
  const last = JSON.parse(newest.json) as Partial<Flags>
  if (!last.messages) return newest
  const messages = family.flatMap(({ json }) => (JSON.parse(json) as Flags).messages)
  return { id: newest.id, json: JSON.stringify({ ...last, messages }) }
}
