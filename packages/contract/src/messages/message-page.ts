import { z } from 'zod'
import { texts } from '../kernel/common-descriptions.ts'
import { field, lenientObject } from '../kernel/field.ts'
import type { Param, RawValue } from '../kernel/params.ts'
import { json } from '../kernel/params.ts'
import { dateTime, stringOrInteger } from '../kernel/schemas.ts'
import { maxMessagesPerFetch } from '../plain/limits.ts'
import { narrowTerms, readTerms } from './narrow.ts'
import { fetchedMessage } from './shape.ts'

/** The messages around an anchor, as `GET /messages` returns them. */
export const messagePage = {
  messages: field(
    z.array(fetchedMessage),
    'The messages, ordered by id. They have at most 8 MB together: a page with more has only the messages nearest to the anchor.',
  ),
  // The anchor `newest` becomes a number beyond the safe integers, which `z.int` would refuse.
  anchor: field(
    z.number(),
    'The id that was used as the anchor: 0 for `oldest`, 10000000000000000 for `newest`.',
  ),
  found_anchor: field(z.boolean(), 'Whether the message with the id of the anchor is in the list.'),
  found_oldest: field(
    z.boolean(),
    'Whether the list includes the oldest message of the narrow. If not, ask for messages before the first one.',
  ),
  found_newest: field(
    z.boolean(),
    'Whether the list includes the newest message of the narrow. If not, ask for messages after the last one.',
  ),
  history_limited: field(z.boolean(), 'Whether a limit of the plan hides older messages. Always false.'),
}

const count = z
  .int()
  .refine((number) => number >= 0, { error: '{V} is negative' })
  .meta({ minimum: 0 })

/** Messages that `register` should include, with the same arguments as `GET /messages`. */
export const messageFetch = lenientObject({
  narrow: field(narrowTerms.default([]), texts.narrowTerms),
  anchor: field(
    stringOrInteger(),
    'The id of a message, `newest`, `oldest`, `first_unread`, or `date` for the first message of the narrow that was sent at `anchor_date` or later. Without such a message, `first_unread` and `date` are the same as `newest`.',
  ),
  anchor_date: field(
    dateTime().optional(),
    'A time with its offset, as in ISO 8601: `2026-03-01T00:00:00Z`. Required with `anchor=date`, otherwise ignored.',
  ),
  num_before: field(
    count,
    `How many messages before the anchor to return. At most ${maxMessagesPerFetch} together with \`num_after\`.`,
  ),
  num_after: field(
    count,
    `How many messages after the anchor to return. At most ${maxMessagesPerFetch} together with \`num_before\`.`,
  ),
})
export type MessageFetch = z.infer<typeof messageFetch>

/** Declares a JSON parameter of type `MessageFetch`. Its narrow is parsed like the parameter `narrow`. */
export function fetchOfMessages<Schema extends z.ZodType<MessageFetch | undefined>>(
  schema: Schema,
  description: string,
): Param<Schema> {
  const { read, ...param } = json(schema, description)
  return { ...param, read: (raw, name) => readFetch(read(raw, name)) }
}

function readFetch(fetch: unknown): unknown {
  if (typeof fetch !== 'object' || fetch === null || !('narrow' in fetch)) return fetch
  const parsedNarrow: RawValue = { parsed: fetch.narrow }
  return { ...fetch, narrow: readTerms(parsedNarrow, 'narrow') }
}
