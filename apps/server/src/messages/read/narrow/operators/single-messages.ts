import { sql } from 'kysely'
import { buildNarrowError, type NarrowOperator } from '../operator.ts'

/** Matches the message with this id. */
export const id: NarrowOperator = {
  compile({ operand }) {
    if (!/^\d{1,15}$/.test(String(operand))) throw buildNarrowError('Invalid message ID')
    const message = Number(operand)
    return {
      condition: sql`m.id = ${message}`,
      indexHints: { message },
      search: { isSmallSet: true },
    }
  },
}

/** Matches every message. Clients use this operator in URLs, to store which message they show. */
export const near: NarrowOperator = { compile: () => ({}) }
