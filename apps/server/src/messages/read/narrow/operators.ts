import type { NarrowOperatorName } from '@oxbow/contract'
import type { EventFilter } from '../../../events/event-shape.ts'
import type { EventMessage, NarrowOperator } from './operator.ts'
import { groupPmWith, pmWith, sender } from './operators/people.ts'
import { has, inView, is } from './operators/properties.ts'
import { id, near } from './operators/single-messages.ts'
import { stream, streams, topic } from './operators/streams-and-topics.ts'

/** All operators of narrows, by name. */
export const operators: Readonly<Record<NarrowOperatorName, NarrowOperator>> = {
  stream,
  streams,
  topic,
  sender,
  'pm-with': pmWith,
  'group-pm-with': groupPmWith,
  is,
  has,
  in: inView,
  near,
  id,
  search: { compile: ({ operand }) => ({ searchText: String(operand) }) },
}

/** The operators that queues can be registered with, for events of type `message`. */
export const narrowFilters: Readonly<Record<string, EventFilter>> = Object.fromEntries(
  Object.entries(operators).flatMap(([name, { matchesEvent }]) =>
    matchesEvent
      ? [
          [
            name,
            (event, flags, operand) => matchesEvent(event.message as EventMessage, flags, operand),
          ] satisfies [string, EventFilter],
        ]
      : [],
  ),
)
