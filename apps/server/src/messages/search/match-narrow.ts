import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import { type Highlighted, highlight, type MessageText, matchMessage, parseQuery } from '@oxbow/search'
import { sql } from 'kysely'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { compileNarrow, type Narrow } from '../read/narrow/compile.ts'
import { readNarrowed } from '../read/read-narrowed.ts'
import { isReadable, joinOwn, type Reader } from '../visibility.ts'

type MatchesNarrow = typeof api.messages.matchesNarrow

/** Which of these messages fit: all that someone may read are looked at, whether they came to them or not. */
export async function matchNarrow(
  app: App,
  actor: Actor,
  { msg_ids, narrow: terms }: ParamsOf<MatchesNarrow>,
): Promise<ResponseOf<MatchesNarrow>> {
  const narrow = await compileNarrow(app, app.db, actor, terms)
  const wanted = narrow.searches.filter(({ negated }) => !negated).map(({ text }) => parseQuery(text))
  const unwanted = narrow.searches.filter(({ negated }) => negated).map(({ text }) => parseQuery(text))
  const messages: Record<string, Highlighted> = {}
  for (const message of await listFitting(app.db, actor, narrow, msg_ids)) {
    const shown = highlight(wanted, message)
    if (shown && !unwanted.some((query) => matchMessage(query, message))) messages[message.id] = shown
  }
  return { messages }
}

function listFitting(
  db: Db,
  reader: Reader,
  { conditions }: Narrow,
  ids: readonly number[],
): Promise<(MessageText & { id: number })[]> {
  return readNarrowed(
    db,
    sql<MessageText & { id: number }>`
    select m.id, m.topic, m.content, m.rendered_content from message m ${joinOwn(reader)}
    where m.organization_id = ${reader.organization_id} and m.id = any(${ids}::bigint[])
      and ${sql.join([isReadable(reader), ...conditions], sql` and `)}
    order by m.id`,
  )
}
