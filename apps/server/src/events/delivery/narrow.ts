import { ApiError } from '@oxbow/contract'
import type { QueueOptions } from '../queue-options.ts'
import type { LogRecord } from '../record.ts'
import { parseEvent } from './parse-event.ts'

interface NarrowedMessage {
  type: string
  display_recipient?: unknown
  subject?: string
  sender_email?: string
}

type NarrowPredicate = (message: NarrowedMessage, flags: readonly string[], operand: string) => boolean

const equalsIgnoringCase = (a: unknown, b: string) =>
  typeof a === 'string' && a.toLowerCase() === b.toLowerCase()

const operators: Record<string, NarrowPredicate> = {
  stream: ({ type, display_recipient }, _flags, name) =>
    type === 'stream' && equalsIgnoringCase(display_recipient, name),
  topic: ({ type, subject }, _flags, topic) => type === 'stream' && equalsIgnoringCase(subject, topic),
  sender: ({ sender_email }, _flags, email) => equalsIgnoringCase(sender_email, email),
  is: ({ type }, flags, kind) => {
    switch (kind) {
      case 'private':
        return type === 'private'
      case 'starred':
        return flags.includes('starred')
      case 'unread':
        return !flags.includes('read')
      case 'mentioned':
      case 'alerted':
        return flags.includes('mentioned')
      default:
        return true
    }
  },
}

export function refuseUnknownOperators(narrow: readonly (readonly string[])[]): void {
  for (const [operator = ''] of narrow) {
    if (!Object.hasOwn(operators, operator)) throw new ApiError('NARROW_OPERATOR_NOT_SUPPORTED', { operator })
  }
}

/**
 * Whether the message of this record matches all terms of the narrow. The record must be of type
 * `message`.
 */
export function matchesNarrow(
  narrow: QueueOptions['narrow'],
  record: LogRecord,
  flags: readonly string[],
): boolean {
  const message = parseEvent(record).message as NarrowedMessage
  return narrow.every(([operator, operand]) => {
    const test = Object.hasOwn(operators, operator) ? operators[operator] : undefined
    return test?.(message, flags, operand) ?? true
  })
}
