import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import { type Highlighted, highlight, type MessageText, matchMessage, parseQuery } from '@oxbow/search'
import { sql } from 'kysely'
import { proxyStoredPictures } from '../../external-pictures/proxy-pictures.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { mapYielding } from '../../platform/map-yielding.ts'
import { compileNarrow } from '../read/narrow/compile.ts'
import type { Narrow } from '../read/narrow/narrow.ts'
import { readNarrowed } from '../read/read-narrowed.ts'
import { isReadable, joinOwn, type Reader } from '../visibility.ts'
import { getSearchEnd, refuseAfter } from './search-time.ts'

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
  const end = getSearchEnd()
  const messages: Record<string, Highlighted> = {}
  await mapYielding(await listMatchingConditions(app.db, actor, narrow, msg_ids), (message) => {
    refuseAfter(end)
    const highlights = highlight(searchTexts, proxyStoredPictures(app, actor.organization_id, message))
    if (highlights && !unwanted.some((query) => matchMessage(query, message)))
      messages[message.id] = highlights
  })
  return { messages }
}

function listMatchingConditions(
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
