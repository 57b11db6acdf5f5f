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
  /**
   * Compiles a term. Ignores negation, which the caller applies. Throws `BAD_NARROW` for invalid
   * operands.
   */
  compile(context: TermContext): CompiledTerm | Promise<CompiledTerm>
  /**
   * Returns whether the message of an event matches. Queues can be registered only with operators
   * that have this function. The operand is always a string here.
   */
  matchesEvent?(message: EventMessage, flags: readonly string[], operand: string): boolean
  /** Set if a negated term means the same as the plain term, as clients expect. */
  readonly ignoresNegation?: true
}

export interface TermContext {
  app: App
  db: Db
  reader: Reader
  operand: NarrowTerm['operand']
}

export interface CompiledTerm {
  /** SQL condition on the rows `m` and `own`; absent if the term matches every message. */
  condition?: RawBuilder<boolean>
  /** A text that messages must contain. The search decides what negation means. */
  searchText?: string
  /** The stream that the term refers to, whether or not the term is negated. */
  namedStream?: StreamWithMembership
  /** `indexHints`, `search` and `includesHistory` apply only if the term is not negated. */
  indexHints?: IndexHints
  search?: SearchHints
  /**
   * Whether messages that the reader did not receive can match; undefined if the term does not
   * decide this.
   */
  includesHistory?: boolean
  /**
   * Set if the term matches flags, because readers have flags only on messages that they received. Applies
   * to negated terms too.
   */
  requiresReceived?: boolean
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
