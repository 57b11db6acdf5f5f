import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { type Highlighted, highlight, type MessageText, matchMessage, parseQuery } from '@oxbow/search'
import { sql } from 'kysely'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { proxyStoredPictures } from '../external-pictures/proxy-pictures.ts'
import { maxPageBytes, messageBytes } from '../read/fitting-messages.ts'
import { compileNarrow } from '../read/narrow/compile.ts'
import type { Narrow } from '../read/narrow/narrow.ts'
import { readNarrowed } from '../read/read-narrowed.ts'
import { isReadable, joinOwn, type Reader } from '../visibility.ts'
import { Matcher } from './matcher.ts'

type MatchesNarrow = typeof api.messages.matchesNarrow

/**
 * Returns which of the given messages match the narrow. Considers all messages that the actor may
 * read, including messages that were not delivered to the actor.
 */
export async function matchNarrow(
  app: App,
  actor: Actor,
  { msg_ids, narrow: terms }: ParamsOf<MatchesNarrow>,
): Promise<ResponseOf<MatchesNarrow>> {
  const narrow = await compileNarrow(app, app.db, actor, terms)
  const searchTexts = narrow.searches.filter(({ negated }) => !negated).map(({ text }) => parseQuery(text))
  const unwanted = narrow.searches.filter(({ negated }) => negated).map(({ text }) => parseQuery(text))
  const matcher = new Matcher()
  const messages: Record<string, Highlighted> = {}
  for (const message of await listMatchingConditions(app.db, actor, narrow, msg_ids)) {
    const shown = proxyStoredPictures(app, actor.organization_id, message)
    const highlights = await matcher.match(() =>
      unwanted.some((query) => matchMessage(query, message)) ? undefined : highlight(searchTexts, shown),
    )
    if (highlights) messages[message.id] = highlights
  }
  return { messages }
}

/** Lists the messages that meet all conditions except searches. Throws if they do not fit into a response. */
async function listMatchingConditions(
  db: Db,
  reader: Reader,
  { conditions }: Narrow,
  ids: readonly number[],
): Promise<(MessageText & { id: number })[]> {
  const rows = await readNarrowed(
    db,
    sql<MessageText & { id: number; total_bytes: number }>`
    select * from (
      select m.id, m.topic, m.content, m.rendered_content, size,
        (sum(size) over (order by m.id))::float8 as total_bytes
      from message m
      cross join lateral (select ${messageBytes('both')} as size) as measured
      ${joinOwn(reader)}
      where m.organization_id = ${reader.organization_id} and m.id = any(${ids}::bigint[])
        and ${sql.join([isReadable(reader), ...conditions], sql` and `)}
    ) as found
    where total_bytes - size <= ${sql.lit(maxPageBytes)}
    order by id`,
  )
  if ((rows.at(-1)?.total_bytes ?? 0) > maxPageBytes) throw new ApiError('MESSAGES_TOO_LARGE')
  return rows
}
