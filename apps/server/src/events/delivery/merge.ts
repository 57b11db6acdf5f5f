import type { RenderedEvent } from './render.ts'

interface Flags {
  operation: string
  flag: string
  all: boolean
  messages: number[]
  /** Where messages became unread: what they are. */
  message_details?: object
}

/**
 * Among events that were not handed out yet, the newest of a family stands for all of it: changes of the same flag in
 * the same way, whose messages are put together. The ids of the others are left out.
 */
export function mergeFamilies(events: readonly RenderedEvent[]): readonly RenderedEvent[] {
  const familyOf = familiesOf(events)
  const members = Map.groupBy(events, (event) => familyOf.get(event))
  members.delete(undefined)
  if (![...members.values()].some((family) => family.length > 1)) return events
  return events.flatMap((event) => {
    const family = members.get(familyOf.get(event)) ?? [event]
    return family.at(-1) === event ? [family.length === 1 ? event : merged(family, event)] : []
  })
}

const family = 'update_message_flags'
const inText = new RegExp(`"type":"${family}"`)
/** After these a flag that was changed before them may be another message's, or nobody's. */
const dividing = /"type":"(update_message|delete_message|subscription)"/

/** Most types have no families, and events of them need not be looked at. */
export const mayMerge = (type: string | undefined): boolean => type === family

/** Changes of a flag come late where they are put together, so nothing that bears on them may lie between. */
function familiesOf(events: readonly RenderedEvent[]): ReadonlyMap<RenderedEvent, string> {
  const found = new Map<RenderedEvent, string>()
  let divisions = 0
  const latest = new Map<string, { operation: string; since: number }>()
  for (const event of events) {
    if (dividing.test(event.json)) divisions++
    if (!inText.test(event.json)) continue
    const { type, operation, flag, all, id } = JSON.parse(event.json) as Flags & { type: string; id: number }
    if (type !== family) continue
    const way = all ? 'all' : operation
    if (latest.get(flag)?.operation !== way) latest.set(flag, { operation: way, since: id })
    if (!all) found.set(event, `${operation} ${flag} ${latest.get(flag)?.since} ${divisions}`)
  }
  return found
}

function merged(family: readonly RenderedEvent[], newest: RenderedEvent): RenderedEvent {
  const changes = family.map(({ json }) => JSON.parse(json) as Partial<Flags>)
  const last = changes.at(-1)
  if (!last?.messages) return newest
  const messages = changes.flatMap((change) => change.messages ?? [])
  const message_details = Object.assign({}, ...changes.map((change) => change.message_details))
  return {
    id: newest.id,
    json: JSON.stringify({ ...last, messages, ...(last.message_details && { message_details }) }),
  }
}
