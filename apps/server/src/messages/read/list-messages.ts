import {
  ApiError,
  type api,
  type FetchedMessage,
  maxMessagesPerFetch,
  type ParamsOf,
  type ResponseOf,
} from '@oxbow/contract'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { listAccountsById } from '../accounts.ts'
import { isAtBeginning, isAtEnd, newest, type Page, pageAround, readAnchor } from './anchor.ts'
import { findFirstUnread, listEdits, listPage } from './list-page.ts'
import { compileNarrow } from './narrow/compile.ts'
import type { ShownMessage } from './shown-message.ts'
import { viewMessage } from './views.ts'

type List = typeof api.messages.list
type Given = ParamsOf<List>

export async function listMessages(app: App, actor: Actor, given: Given): Promise<ResponseOf<List>> {
  const { num_before, num_after } = given
  const anchor = readAnchor(given.anchor, given.use_first_unread_anchor)
  if (num_before + num_after > maxMessagesPerFetch) throw new ApiError('TOO_MANY_MESSAGES_REQUESTED')
  const narrow = await compileNarrow(app, app.db, actor, given.narrow)
  const page = pageAround(
    anchor ?? (await findFirstUnread(app.db, actor, narrow)) ?? newest,
    num_before,
    num_after,
  )
  const found = await listPage(app.db, actor, narrow, page)
  const count = (side: ShownMessage['side']) => found.filter((message) => message.side === side).length
  return {
    messages: await view(app, actor, found, given),
    anchor: page.anchor,
    found_anchor: count('anchor') > 0,
    found_oldest: isAtBeginning(page) || isShort(page, 'before', count('before')),
    found_newest: isAtEnd(page) || isShort(page, 'after', count('after')),
    history_limited: false,
  }
}

/** Fewer than were asked for are all there are. */
const isShort = (page: Page, side: 'before' | 'after', count: number): boolean => count < page[side]

async function view(
  { config, db }: App,
  { organization_id }: Actor,
  messages: readonly ShownMessage[],
  { apply_markdown, client_external_avatar }: Given,
): Promise<FetchedMessage[]> {
  if (messages.length === 0) return []
  const ids = new Set(messages.flatMap(({ sender_id, members }) => [sender_id, ...(members ?? [])]))
  const edited = messages.flatMap(({ id, edited_at }) => (edited_at ? [id] : []))
  const [organization, accounts, edits] = await Promise.all([
    getOrganization(db, organization_id),
    listAccountsById(db, organization_id, [...ids]),
    listEdits(db, organization_id, edited),
  ])
  const context = {
    config,
    organization,
    accounts,
    edits: Map.groupBy(edits, ({ message_id }) => message_id),
    asHtml: apply_markdown,
    clientComputesAvatars: client_external_avatar,
  }
  return messages.map((message) => viewMessage(context, message))
}
