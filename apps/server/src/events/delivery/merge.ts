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
 * Merges flag changes that were not sent yet. Events that add the same flag become one event with all of
 * their messages, at the position and with the id of the newest; so do events that remove the same flag. All
 * other events are unchanged.
 */
export function mergeFlagEvents(events: readonly RenderedEvent[]): readonly RenderedEvent[] {
  const groupOf = groupMergeable(events)
  const eventsByGroup = Map.groupBy(events, (event) => groupOf.get(event))
  eventsByGroup.delete(undefined)
  if (![...eventsByGroup.values()].some((group) => group.length > 1)) return events
  return events.flatMap((event) => {
    const group = eventsByGroup.get(groupOf.get(event)) ?? [event]
    return group.at(-1) === event ? [group.length === 1 ? event : mergeGroup(group, event)] : []
  })
}

const mergeableType = 'update_message_flags'
const mergeableTypePattern = new RegExp(`"type":"${mergeableType}"`)
/** Matches events that may move or delete messages. Flag changes are not merged across such events. */
const barrierTypePattern = /"type":"(update_message|delete_message|subscription)"/

/** Whether events of this type can be merged at all. */
export const canMerge = (type: string | undefined): boolean => type === mergeableType

/**
 * Assigns each mergeable event a group. A merged change is delivered later than its own position, so a group
 * ends at an opposite change of the same flag and at an event that matches `barrierTypePattern`.
 */
function groupMergeable(events: readonly RenderedEvent[]): ReadonlyMap<RenderedEvent, string> {
  const groupByEvent = new Map<RenderedEvent, string>()
  let barrierCount = 0
  const latest = new Map<string, { operation: string; since: number }>()
  for (const event of events) {
    if (barrierTypePattern.test(event.json)) barrierCount++
    if (!mergeableTypePattern.test(event.json)) continue
    const { type, operation, flag, all, id } = JSON.parse(event.json) as FlagsEvent & {
      type: string
      id: number
    }
    if (type !== mergeableType) continue
    const direction = all ? 'all' : operation
    if (latest.get(flag)?.operation !== direction) latest.set(flag, { operation: direction, since: id })
    if (!all) groupByEvent.set(event, `${operation} ${flag} ${latest.get(flag)?.since} ${barrierCount}`)
  }
  return groupByEvent
}

function mergeGroup(group: readonly RenderedEvent[], newest: RenderedEvent): RenderedEvent {
  const changes = group.map(({ json }) => JSON.parse(json) as Partial<FlagsEvent>)
  const last = changes.at(-1)
  if (!last?.messages) return newest
  const messages = changes.flatMap((change) => change.messages ?? [])
  const message_details = Object.assign({}, ...changes.map((change) => change.message_details))
  return {
    id: newest.id,
    json: JSON.stringify({ ...last, messages, ...(last.message_details && { message_details }) }),
  }
}
