import { ApiError } from '@oxbow/contract'
import type { EventFilter, EventShape } from '../event-shape.ts'
import type { QueueOptions } from '../queue-options.ts'
import type { LogRecord } from '../record.ts'
import { parseEvent } from '../record.ts'

type Terms = QueueOptions['narrow']

/** Returns whether a queue with a narrow gets the record, for a reader with these flags. */
export type MatchNarrow = (record: LogRecord, flags: () => readonly string[]) => boolean

/** The operators that a queue's narrow may contain. Features declare them with their event shapes. */
export class NarrowFilters {
  readonly #byType: ReadonlyMap<string, Readonly<Record<string, EventFilter>>>

  constructor(shapes: readonly EventShape[]) {
    this.#byType = new Map(shapes.flatMap(({ type, filters }) => (filters ? [[type, filters]] : [])))
  }

  refuseUnknownOperators(narrow: Terms): void {
    for (const [operator] of narrow) {
      const isKnown = [...this.#byType.values()].some((filters) => Object.hasOwn(filters, operator))
      if (!isKnown) throw new ApiError('NARROW_OPERATOR_NOT_SUPPORTED', { operator })
    }
  }

  /** Returns a function that tests records; undefined if all events match the narrow. */
  compile(narrow: Terms): MatchNarrow | undefined {
    if (narrow.length === 0) return undefined
    return (record, getFlags) => {
      const filters = this.#byType.get(record.header.type ?? '')
      if (!filters) return true
      const event = parseEvent(record)
      const flags = getFlags()
      return narrow.every(([operator, operand]) => {
        const filter = Object.hasOwn(filters, operator) ? filters[operator] : undefined
        return filter?.(event, flags, operand) ?? true
      })
    }
  }
}
