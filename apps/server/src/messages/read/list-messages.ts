import {
  ApiError,
  type api,
  type FetchedMessage,
  type MessageId,
  maxMessagesPerFetch,
  type ParamsOf,
  type ResponseOf,
} from '@oxbow/contract'
import { escapeWithoutHighlights, highlight, parseQuery, type SearchQuery } from '@oxbow/search'
import { listAccountsById } from '../../accounts/queries.ts'
import { proxyStoredPictures } from '../../external-pictures/proxy-pictures.ts'
import { createTopicLinker } from '../../linkifiers/cached-linkifiers.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { readTogether } from '../../platform/database/read-together.ts'
import { mapYielding } from '../../platform/map-yielding.ts'
import { hideEdits } from '../edit/hide-edits.ts'
import { getMessageMetrics } from '../metrics.ts'
import { listReactions } from '../reactions/queries.ts'
import type { Reader } from '../visibility.ts'
import { listSubmessages } from '../widgets/queries.ts'
import { type Anchor, buildPage, isAtBeginning, isAtEnd, newestAnchor, parseAnchor } from './anchor.ts'
import { findFirstSince } from './find-first-since.ts'
import { findFirstUnread, listEdits, listPage, readShownMessage, searchPage } from './list-page.ts'
import { compileNarrow } from './narrow/compile.ts'
import type { Narrow } from './narrow/narrow.ts'
import type { ShownMessage } from './shown-message.ts'
import { viewMessage } from './views.ts'

type List = typeof api.messages.list
type ListParams = ParamsOf<List>

export async function listMessages(app: App, actor: Actor, params: ListParams): Promise<ResponseOf<List>> {
  return readMessages(app, app.db, actor, params)
}

/**
 * Lists messages using only `db`, which may be a snapshot. Throws the errors of `GET /messages`.
 */
export async function readMessages(
  app: App,
  db: Db,
  actor: Actor,
  params: ListParams,
): Promise<ResponseOf<List>> {
  const { num_before, num_after } = params
  const anchor = parseAnchor(params)
  if (num_before + num_after > maxMessagesPerFetch) throw new ApiError('TOO_MANY_MESSAGES_REQUESTED')
  const narrow = await compileNarrow(app, db, actor, params.narrow)
  const query = buildSearchQuery(narrow)
  const page = buildPage(
    (await findAnchor(db, actor, narrow, query, anchor)) ?? newestAnchor,
    num_before,
    num_after,
  )
  const found = query
    ? await timeSearch(app, () => searchPage(db, actor, narrow, query, page))
    : await listPage(db, actor, narrow, page)
  const messages = await viewMessages(app, db, actor, found, params, query)
  const shownIds = new Set(messages.map(({ id }) => id))
  const listSide = (side: ShownMessage['side']) => found.filter((message) => message.side === side)
  const isPageEnd = (side: 'before' | 'after') =>
    listSide(side).length < page[side] && listSide(side).every(({ id }) => shownIds.has(id))
  return {
    messages,
    anchor: page.anchor,
    found_anchor: listSide('anchor').length > 0,
    found_oldest: isAtBeginning(page) || isPageEnd('before'),
    found_newest: isAtEnd(page) || isPageEnd('after'),
    history_limited: false,
  }
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
): Promise<number | undefined> {
  if (typeof anchor === 'number') return anchor
  if (anchor === 'first_unread') return findFirstUnread(db, reader, narrow, query)
  return findFirstSince(db, reader, narrow, query, anchor)
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
  const found = await readShownMessage(app.db, actor, id)
  const [message] = await viewMessages(
    app,
    app.db,
    actor,
    found,
    { apply_markdown, client_external_avatar: false },
    undefined,
  )
  if (!message) throw new ApiError('INVALID_MESSAGE')
  return message
}

/** Combines all search terms into one query. Ignores negation, as clients expect. */
function buildSearchQuery({ searches }: Narrow): SearchQuery | undefined {
  return searches.length === 0 ? undefined : parseQuery(searches.map(({ text }) => text).join(' '))
}

/**
 * Sorts the messages of a page by their distance from the anchor, so that a page that is cut short
 * has no gap and contains the anchor.
 */
function orderFromAnchor(messages: readonly ShownMessage[]): ShownMessage[] {
  const { before = [], anchor = [], after = [] } = Object.groupBy(messages, ({ side }) => side)
  const older = before.toReversed()
  const pairs = Array.from({ length: Math.max(older.length, after.length) }, (_, distance) => [
    older[distance],
    after[distance],
  ])
  return [...anchor, ...pairs.flat()].filter((message) => message !== undefined)
}

/**
 * Builds the messages of a response. If a page has too many submessages, leaves out the messages
 * farthest from the anchor.
 */
async function viewMessages(
  app: App,
  db: Db,
  actor: Actor,
  messages: readonly ShownMessage[],
  { apply_markdown, client_external_avatar }: Pick<ListParams, 'apply_markdown' | 'client_external_avatar'>,
  query: SearchQuery | undefined,
): Promise<FetchedMessage[]> {
  if (messages.length === 0) return []
  const { config, secrets } = app
  const { organization_id, legacyNames } = actor
  const userIds = new Set(messages.flatMap(({ sender_id, members }) => [sender_id, ...(members ?? [])]))
  const editedIds = messages.flatMap(({ id, edited_at }) => (edited_at ? [id] : []))
  const messageIds = orderFromAnchor(messages).map(({ id }) => id)
  const [organization, accounts, edits, reactions, { submessages, firstLeftOut }, linkTopic] =
    await readTogether(db, [
      () => getOrganization(db, organization_id),
      () => listAccountsById(db, organization_id, [...userIds]),
      () => listEdits(db, organization_id, editedIds),
      () => listReactions(db, organization_id, messageIds),
      () => listSubmessages(db, actor, messageIds),
      () => createTopicLinker(app, organization_id, db),
    ])
  const withPictures = <Row extends object>(row: Row) => proxyStoredPictures(app, organization_id, row)
  const context = {
    config,
    secrets,
    organization,
    accounts,
    edits: Map.groupBy(
      (await hideEdits(db, actor, messages, edits)).map(withPictures),
      ({ message_id }) => message_id,
    ),
    reactions: Map.groupBy(reactions, ({ message_id }) => message_id),
    submessages: Map.groupBy(submessages, ({ message_id }) => message_id),
    linkTopic,
    legacyNames,
    asHtml: apply_markdown,
    clientComputesAvatars: client_external_avatar,
  }
  const shownIds = new Set(
    firstLeftOut === undefined ? messageIds : messageIds.slice(0, messageIds.indexOf(firstLeftOut)),
  )
  const shown = messages.filter(({ id }) => shownIds.has(id)).map(withPictures)
  return mapYielding(shown, (message) => ({
    ...viewMessage(context, message),
    ...(query && (highlight([query], message) ?? escapeWithoutHighlights(message))),
  }))
}
