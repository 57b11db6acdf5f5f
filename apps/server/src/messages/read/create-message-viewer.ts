import type { api, FetchedMessage, ParamsOf, Submessage } from '@oxbow/contract'
import { listAccountsById } from '../../identity/accounts/queries.ts'
import { createTopicLinker } from '../../organization/linkifiers/cached-linkifiers.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { readTogether } from '../../platform/database/read-together.ts'
import type { MessageEditRow } from '../../platform/database/tables.ts'
import { hideEdits } from '../edit/hide-edits.ts'
import { selectNewestEdits } from '../edit/queries.ts'
import { proxyStoredPictures } from '../external-pictures/proxy-pictures.ts'
import { type ReactionWithUser, selectReactions } from '../reactions/queries.ts'
import { selectSubmessages } from '../widgets/queries.ts'
import { readAttached } from './read-attached.ts'
import type { ShownMessage } from './shown-message.ts'
import { viewMessage } from './views.ts'

/**
 * Maximum size of the edits that are listed with each message, except that the newest one is always listed. All
 * edits are in the history of the message.
 */
const maxListedEditBytes = 20_000

type ViewOptions = Pick<ParamsOf<typeof api.messages.list>, 'apply_markdown' | 'client_external_avatar'>

/** Messages whose attached rows fit into a response, and a function that builds each of them for it. */
export interface Viewer {
  messages: readonly ShownMessage[]
  view: (message: ShownMessage) => FetchedMessage
}

/**
 * Loads all data that the messages refer to. Their order decides which of them are left out if their edits, reactions
 * or submessages do not fit into a response: the last ones.
 */
export async function createMessageViewer(
  app: App,
  db: Db,
  actor: Actor,
  messages: readonly ShownMessage[],
  { apply_markdown, client_external_avatar }: ViewOptions,
): Promise<Viewer> {
  const { config, secrets } = app
  const { organization_id, legacyNames } = actor
  const userIds = new Set(messages.flatMap(({ sender_id, members }) => [sender_id, ...(members ?? [])]))
  const editedIds = messages.flatMap(({ id, edited_at }) => (edited_at ? [id] : []))
  const idsWith = (has: 'has_reactions' | 'has_submessages') =>
    messages.flatMap((message) => (message[has] ? [message.id] : []))
  const [organization, accounts, edits, reactions, submessages, linkTopic] = await readTogether(db, [
    () => getOrganization(db, organization_id),
    () => listAccountsById(db, organization_id, [...userIds]),
    () =>
      readAttached<MessageEditRow>(db, editedIds, (id) => selectNewestEdits(actor, id, maxListedEditBytes)),
    () => readAttached<ReactionWithUser>(db, idsWith('has_reactions'), (id) => selectReactions(actor, id)),
    () => readAttached<Submessage>(db, idsWith('has_submessages'), (id) => selectSubmessages(actor, id)),
    () => createTopicLinker(app, organization_id, db),
  ])
  const leftOut = [edits, reactions, submessages].flatMap(({ firstLeftOut }) => firstLeftOut ?? [])
  const end = messages.findIndex(({ id }) => leftOut.includes(id))
  const fitting = end === -1 ? messages : messages.slice(0, end)
  const withPictures = <Row extends object>(row: Row) => proxyStoredPictures(app, organization_id, row)
  const context = {
    config,
    secrets,
    organization,
    accounts,
    edits: Map.groupBy(
      (await hideEdits(db, actor, fitting, edits.rows.toReversed())).map(withPictures),
      ({ message_id }) => message_id,
    ),
    reactions: Map.groupBy(reactions.rows, ({ message_id }) => message_id),
    submessages: Map.groupBy(submessages.rows, ({ message_id }) => message_id),
    linkTopic,
    legacyNames,
    asHtml: apply_markdown,
    clientComputesAvatars: client_external_avatar,
  }
  return { messages: fitting, view: (message) => viewMessage(context, withPictures(message)) }
}
