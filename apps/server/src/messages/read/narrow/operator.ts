import { ApiError, type NarrowTerm } from '@oxbow/contract'
import type { RawBuilder } from 'kysely'
import type { App } from '../../../platform/app.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { StreamWithMembership } from '../../../streams/queries.ts'
import type { SearchHints } from '../../search/search-hints.ts'
import type { Reader } from '../../visibility.ts'
import type { IndexHints } from './narrow.ts'

/** An operator of narrows. The contract declares its operand under the same name. */
export interface NarrowOperator {
  /** Compiles a term without regard to negation, which the caller applies. Throws `BAD_NARROW`. */
  compile(context: TermContext): CompiledTerm | Promise<CompiledTerm>
  /**
   * Returns whether the message of an event matches. Queues can be registered with exactly the
   * operators that have this function; it knows the operand only as a text.
   */
  matchesEvent?(message: EventMessage, flags: readonly string[], operand: string): boolean
  /** The operator matches flags, which a reader has only of messages that they received. */
  readonly requiresReceived?: true
  /** Negated terms mean the same as others, as clients expect. */
  readonly ignoresNegation?: true
}

export interface TermContext {
  app: App
  db: Db
  reader: Reader
  operand: NarrowTerm['operand']
}

export interface CompiledTerm {
  /** Condition on `m` and `own`; absent where the term matches every message. */
  condition?: RawBuilder<boolean>
  /** A text that messages must contain; negation is left to the search. */
  searchText?: string
  /** The stream that the term names, negated or not. */
  namedStream?: StreamWithMembership
  /** The following fields apply only where the term is not negated. */
  about?: IndexHints
  search?: SearchHints
  /** Decides whether messages that the reader did not receive can match. */
  includesHistory?: boolean
}

/** The fields of a message in an event that operators compare. */
export interface EventMessage {
  type: string
  display_recipient?: unknown
  subject?: string
  sender_email?: string
}

export function buildNarrowError(desc: string): ApiError {
  return new ApiError('BAD_NARROW', { desc })
}

export const equalsIgnoringCase = (a: unknown, b: string): boolean =>
  typeof a === 'string' && a.toLowerCase() === b.toLowerCase()
