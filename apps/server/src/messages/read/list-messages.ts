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
import { createTopicLinker } from '../../linkifiers/link-topics.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { listAccountsById } from '../accounts.ts'
import { hideEdits } from '../edit/hide-edits.ts'
import { listReactions } from '../reactions/queries.ts'
import { buildPage, isAtBeginning, isAtEnd, newestAnchor, type Page, parseAnchor } from './anchor.ts'
import { findFirstUnread, listEdits, listPage, readShownMessage, searchPage } from './list-page.ts'
import { compileNarrow, type Narrow } from './narrow/compile.ts'
import type { ShownMessage } from './shown-message.ts'
import { viewMessage } from './views.ts'

type List = typeof api.messages.list
type ListParams = ParamsOf<List>

export async function listMessages(app: App, actor: Actor, given: ListParams): Promise<ResponseOf<List>> {
  const { num_before, num_after } = given
  const anchor = parseAnchor(given.anchor, given.use_first_unread_anchor)
  if (num_before + num_after > maxMessagesPerFetch) throw new ApiError('TOO_MANY_MESSAGES_REQUESTED')
  const narrow = await compileNarrow(app, app.db, actor, given.narrow)
  const query = buildSearchQuery(narrow)
  const page = buildPage(
    anchor ?? (await findFirstUnread(app.db, actor, narrow, query)) ?? newestAnchor,
    num_before,
    num_after,
  )
  const found = query
    ? await searchPage(app.db, actor, narrow, query, page)
    : await listPage(app.db, actor, narrow, page)
  const count = (side: ShownMessage['side']) => found.filter((message) => message.side === side).length
  return {
    messages: await viewMessages(app, actor, found, given, query),
    anchor: page.anchor,
    found_anchor: count('anchor') > 0,
    found_oldest: isAtBeginning(page) || isPageEnd(page, 'before', count('before')),
    found_newest: isAtEnd(page) || isPageEnd(page, 'after', count('after')),
    history_limited: false,
  }
}

/**
 * Returns one message as a list would show it. The caller has checked that the actor may read it.
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
    actor,
    found,
    { apply_markdown, client_external_avatar: false },
    undefined,
  )
  if (!message) throw new ApiError('INVALID_MESSAGE')
  return message
}

/** Combines all search terms into one query. Negation is ignored, as clients expect. */
function buildSearchQuery({ searches }: Narrow): SearchQuery | undefined {
  return searches.length === 0 ? undefined : parseQuery(searches.map(({ text }) => text).join(' '))
}

/** Returns whether the page ends here: fewer messages were found than requested. */
const isPageEnd = (page: Page, side: 'before' | 'after', count: number): boolean => count < page[side]

async function viewMessages(
  app: App,
  actor: Actor,
  messages: readonly ShownMessage[],
  { apply_markdown, client_external_avatar }: Pick<ListParams, 'apply_markdown' | 'client_external_avatar'>,
  query: SearchQuery | undefined,
): Promise<FetchedMessage[]> {
  if (messages.length === 0) return []
  const { config, secrets, db } = app
  const { organization_id, legacyNames } = actor
  const ids = new Set(messages.flatMap(({ sender_id, members }) => [sender_id, ...(members ?? [])]))
  const edited = messages.flatMap(({ id, edited_at }) => (edited_at ? [id] : []))
  const [organization, accounts, edits, reactions, linkTopic] = await Promise.all([
    getOrganization(db, organization_id),
    listAccountsById(db, organization_id, [...ids]),
    listEdits(db, organization_id, edited),
    listReactions(
      db,
      organization_id,
      messages.map(({ id }) => id),
    ),
    createTopicLinker(app, organization_id),
  ])
  const context = {
    config,
    secrets,
    organization,
    accounts,
    edits: Map.groupBy(await hideEdits(db, actor, messages, edits), ({ message_id }) => message_id),
    reactions: Map.groupBy(reactions, ({ message_id }) => message_id),
    linkTopic,
    legacyNames,
    asHtml: apply_markdown,
    clientComputesAvatars: client_external_avatar,
  }
  return messages.map((message) => ({
    ...viewMessage(context, message),
    ...(query && (highlight([query], message) ?? escapeWithoutHighlights(message))),
  }))
}
