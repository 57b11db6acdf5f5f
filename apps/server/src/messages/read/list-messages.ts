import {
  ApiError,
  type api,
  type FetchedMessage,
  type MessageId,
  maxMessagesPerFetch,
  type ParamsOf,
  type ResponseOf,
} from '@oxbow/contract'
import { parseQuery, type SearchQuery } from '@oxbow/search'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { type JsonText, jsonInPieces } from '../../platform/pieces.ts'
import { getMessageMetrics } from '../metrics.ts'
import { Matcher } from '../search/matcher.ts'
import type { Reader } from '../visibility.ts'
import { type Anchor, buildPage, isAtBeginning, isAtEnd, newestAnchor, parseAnchor } from './anchor.ts'
import { createMessageViewer } from './create-message-viewer.ts'
import { findFirstSince } from './find-first-since.ts'
import { findFirstUnread, listPage } from './list-page.ts'
import { compileNarrow } from './narrow/compile.ts'
import type { Narrow } from './narrow/narrow.ts'
import { findShownMessage } from './read-shown-messages.ts'
import { searchPage } from './search-page.ts'
import { serializeFitting } from './serialize-fitting.ts'
import { countOnSide, sortFromAnchor } from './shown-message.ts'

type List = typeof api.messages.list
type ListParams = ParamsOf<List>

export async function listMessages(app: App, actor: Actor, params: ListParams): Promise<MessagePage> {
  return readMessages(app, app.reads, actor, params)
}

/**
 * Lists messages using only `db`, which may be a snapshot. Throws the errors of `GET /messages`.
 */
export async function readMessages(app: App, db: Db, actor: Actor, params: ListParams): Promise<MessagePage> {
  const { num_before, num_after } = params
  const anchor = parseAnchor(params)
  if (num_before + num_after > maxMessagesPerFetch) throw new ApiError('TOO_MANY_MESSAGES_REQUESTED')
  const narrow = await compileNarrow(app, db, actor, params.narrow)
  const query = buildSearchQuery(narrow)
  const matcher = new Matcher()
  const page = buildPage(
    (await findAnchor(db, actor, narrow, query, anchor, matcher)) ?? newestAnchor,
    num_before,
    num_after,
  )
  const { messages: found, isEnd } = query
    ? await timeSearch(app, () => searchPage(app, db, actor, narrow, query, page, matcher))
    : await listPage(db, actor, narrow, page, params.apply_markdown ? 'html' : 'source')
  const viewer = await createMessageViewer(app, db, actor, sortFromAnchor(found), params)
  const shown = await serializeFitting(viewer)
  const isWhole = (side: 'before' | 'after') =>
    isEnd[side] && countOnSide(shown, side) === countOnSide(found, side)
  return {
    messages: await jsonInPieces(
      shown.toSorted((a, b) => a.id - b.id),
      ({ json }) => json,
    ),
    anchor: page.anchor,
    found_anchor: countOnSide(shown, 'anchor') > 0,
    found_oldest: isAtBeginning(page) || isWhole('before'),
    found_newest: isAtEnd(page) || isWhole('after'),
    history_limited: false,
  }
}

/** The response of `GET /messages`. */
export interface MessagePage extends Omit<ResponseOf<List>, 'messages'> {
  messages: JsonText
}

async function timeSearch<Result>(app: App, search: () => Promise<Result>): Promise<Result> {
  const stop = getMessageMetrics(app).search.startTimer()
  try {
    return await search()
  } finally {
    stop()
  }
}

async function findAnchor(
  db: Db,
  reader: Reader,
  narrow: Narrow,
  query: SearchQuery | undefined,
  anchor: Anchor,
  matcher: Matcher,
): Promise<number | undefined> {
  if (typeof anchor === 'number') return anchor
  if (anchor === 'first_unread') return findFirstUnread(db, reader, narrow, query, matcher)
  return findFirstSince(db, reader, narrow, query, anchor, matcher)
}

/**
 * Returns one message in the form of a message list. The caller must have checked that the actor
 * may read it.
 */
export async function getShownMessage(
  app: App,
  actor: Actor,
  id: MessageId,
  apply_markdown: boolean,
): Promise<FetchedMessage> {
  const message = await findShownMessage(app.db, actor, id, apply_markdown ? 'html' : 'source')
  if (!message) throw new ApiError('INVALID_MESSAGE')
  const options = { apply_markdown, client_external_avatar: false }
  const { view } = await createMessageViewer(app, app.db, actor, [message], options)
  return view(message)
}

/** Combines all search terms into one query. Ignores negation, as clients expect. */
function buildSearchQuery({ searches }: Narrow): SearchQuery | undefined {
  return searches.length === 0 ? undefined : parseQuery(searches.map(({ text }) => text).join(' '))
}
