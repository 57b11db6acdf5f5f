import type { RenderedEvent } from './render.ts'

interface FlagsEvent {
  operation: string
  flag: string
  all: boolean
  messages: number[]
  /** Only present for messages that became unread. */
  message_details?: object
}

/**
 * Merges flag changes that were not sent yet. Events that all add, or all remove, the same flag become one
 * event with all of their messages, at the position and with the id of the newest. All other events are
 * unchanged.
 */
export function mergeFlagEvents(events: readonly RenderedEvent[]): readonly RenderedEvent[] {
  const familyOf = groupMergeable(events)
  const members = Map.groupBy(events, (event) => familyOf.get(event))
  members.delete(undefined)
  if (![...members.values()].some((family) => family.length > 1)) return events
  return events.flatMap((event) => {
    const family = members.get(familyOf.get(event)) ?? [event]
    return family.at(-1) === event ? [family.length === 1 ? event : mergeGroup(family, event)] : []
  })
}

const mergeableType = 'update_message_flags'
const inText = new RegExp(`"type":"${mergeableType}"`)
/**
 * Flag changes are not merged across events of these types, which may move or delete the messages.
 */
const barrierTypes = /"type":"(update_message|delete_message|subscription)"/

/** Whether events of this type can be merged at all. */
export const canMerge = (type: string | undefined): boolean => type === mergeableType

/**
 * Assigns each mergeable event a group. A merged change is delivered late, so a group ends at an
 * opposite change of the same flag and at an event of the barrier types.
 */
function groupMergeable(events: readonly RenderedEvent[]): ReadonlyMap<RenderedEvent, string> {
  const found = new Map<RenderedEvent, string>()
  let divisions = 0
  const latest = new Map<string, { operation: string; since: number }>()
  for (const event of events) {
    if (barrierTypes.test(event.json)) divisions++
    if (!inText.test(event.json)) continue
    const { type, operation, flag, all, id } = JSON.parse(event.json) as FlagsEvent & {
      type: string
      id: number
    }
    if (type !== mergeableType) continue
    const direction = all ? 'all' : operation
    if (latest.get(flag)?.operation !== direction) latest.set(flag, { operation: direction, since: id })
    if (!all) found.set(event, `${operation} ${flag} ${latest.get(flag)?.since} ${divisions}`)
  }
  return found
}

function mergeGroup(family: readonly RenderedEvent[], newest: RenderedEvent): RenderedEvent {
  const changes = family.map(({ json }) => JSON.parse(json) as Partial<FlagsEvent>)
  const last = changes.at(-1)
  if (!last?.messages) return newest
  const messages = changes.flatMap((change) => change.messages ?? [])
  const message_details = Object.assign({}, ...changes.map((change) => change.message_details))
  return {
    id: newest.id,
    json: JSON.stringify({ ...last, messages, ...(last.message_details && { message_details }) }),
  }
}
