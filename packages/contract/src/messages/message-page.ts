import { z } from 'zod'
import type { Param, RawValue } from '../kernel/params.ts'
import { json } from '../kernel/params.ts'
import { dateTime, stringOrInteger } from '../kernel/schemas.ts'
import { narrowTerms, readTerms } from './narrow.ts'
import { fetchedMessage } from './shape.ts'

/** The messages around an anchor, as `GET /messages` returns them. */
export const messagePage = {
  messages: z.array(fetchedMessage),
  // The anchor `newest` becomes a number beyond the safe integers, which `z.int` would refuse.
  anchor: z.number(),
  found_anchor: z.boolean(),
  found_oldest: z.boolean(),
  found_newest: z.boolean(),
  history_limited: z.boolean(),
}

const count = z
  .int()
  .refine((number) => number >= 0, { error: '{V} is negative' })
  .meta({ minimum: 0 })

/** Messages that `register` should include, with the same arguments as `GET /messages`. */
export const messageFetch = z.object({
  narrow: narrowTerms.default([]),
  anchor: stringOrInteger(),
  anchor_date: dateTime().optional(),
  num_before: count,
  num_after: count,
})
export type MessageFetch = z.infer<typeof messageFetch>

/** Declares a JSON parameter of type `MessageFetch`. Its narrow is parsed like the parameter `narrow`. */
export function fetchOfMessages<Schema extends z.ZodType<MessageFetch | undefined>>(
  schema: Schema,
): Param<Schema> {
  const { read, ...param } = json(schema)
  return { ...param, read: (raw, name) => readFetch(read(raw, name)) }
}

function readFetch(fetch: unknown): unknown {
  if (typeof fetch !== 'object' || fetch === null || !('narrow' in fetch)) return fetch
  const parsedNarrow: RawValue = { parsed: fetch.narrow }
  return { ...fetch, narrow: readTerms(parsedNarrow, 'narrow') }
}
