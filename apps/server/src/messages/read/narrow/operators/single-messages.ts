import { sql } from 'kysely'
import { buildNarrowError, type NarrowOperator } from '../operator.ts'

/** Matches the message with this id. */
export const id: NarrowOperator = {
  compile({ operand }) {
    if (!/^\d{1,15}$/.test(String(operand))) throw buildNarrowError('Invalid message ID')
    const message = Number(operand)
    return {
      condition: sql`m.id = ${message}`,
      about: { message },
      search: { isSmallSet: true },
    }
  },
}

/** Matches every message: clients put the message that they want to show into the URL. */
export const near: NarrowOperator = { compile: () => ({}) }
