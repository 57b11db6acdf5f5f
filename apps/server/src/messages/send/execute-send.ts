import {
  ApiError,
  foldName,
  foldTopic,
  type MessageId,
  type OrganizationId,
  type StreamId,
  type UserId,
} from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import { pokeAfterCommit } from '../../events/emit.ts'
import type { Header } from '../../events/record.ts'
import { type Credential, type IdempotencyKey, IdempotentReplay } from '../../platform/actor.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { lockKey } from '../../platform/database/locks.ts'
import { inSameTransaction } from '../../platform/database/transaction.ts'
import type { RenderedContent } from '../content/render-content.ts'
import { withPreviewRequest } from '../link-previews/requests.ts'
import { listContentWords, listTopicWords } from '../search/words.ts'
import { widgetType } from '../widgets/queries.ts'
import { type LoadedPreconditions, parsePreconditions } from './preconditions.ts'

/** The sending account. System accounts have no credential. */
export interface Sender {
  organization_id: OrganizationId
  user_id: UserId
  credential: Credential | null
}

/** The stream or the conversation's members that the message goes to. */
export type Destination = { stream: StreamId } | { people: readonly UserId[] }

const getStream = (to: Destination) => ('stream' in to ? to.stream : null)
const getPeople = (to: Destination) => ('people' in to ? to.people : null)

export async function readSendPreconditions(
  db: Db,
  sender: Sender,
  to: Destination,
): Promise<LoadedPreconditions> {
  const { organization_id, user_id, credential } = sender
  const { rows } = await sql<{ facts: string }>`
    select send_facts(${organization_id}, ${user_id}, ${credential?.hash ?? null}, ${getStream(to)}, ${getPeople(to)}) as facts`.execute(
    db,
  )
  return parsePreconditions(rows[0]?.facts ?? 'null')
}

export async function findStreamId(
  db: Db,
  organization_id: OrganizationId,
  name: string,
): Promise<StreamId | undefined> {
  const found = await db
    .selectFrom('stream')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('folded_name', '=', foldName(name))
    .executeTakeFirst()
  return found?.id
}

export interface Draft {
  topic: string
  content: string
  client: string
  rendered: RenderedContent
  readers: readonly UserId[]
  header: Header
  /**
   * JSON of the message event after the message's id and timestamp, up to its end; with a widget, up
   * to the id of its submessage.
   */
  restOfEvent: string
  /** JSON of the widget that the message begins with. */
  widget?: string | undefined
  /** The event that sets the stream's `first_message_id`, where the stream has no messages yet. */
  first: { header: Header; eventBeforeId: string } | undefined
}

/** The rest of the event after the id of the widget's submessage. */
export const endOfWidgetEvent = '}]}}'

export interface SendOptions {
  /** The account whose idempotency key applies, where it is not the sender. */
  caller?: UserId
  idempotencyKey?: IdempotencyKey | undefined
  /**
   * Work of the same transaction, after the message was inserted. If it throws, nothing is sent. It
   * may run several times.
   */
  alongside?: ((tx: Tx) => Promise<void>) | undefined
}

interface Outcome {
  outcome: 'sent' | 'facts' | 'answered' | 'reused'
  detail: string | null
  id: MessageId | null
}

/**
 * Sends the message if `known` still holds and returns its id. Otherwise sends nothing and returns
 * the current preconditions.
 *
 * Throws `IdempotentReplay` where the idempotency key was used before with the same request.
 */
export async function executeSend(
  db: Db,
  sender: Sender,
  to: Destination,
  known: LoadedPreconditions,
  draft: Draft,
  { alongside, ...options }: SendOptions,
): Promise<MessageId | LoadedPreconditions> {
  if (!alongside) return callSendMessage(db, sender, to, known, draft, options)
  return inSameTransaction(db, async (tx) => {
    const outcome = await callSendMessage(tx, sender, to, known, draft, options)
    if (typeof outcome === 'number') await alongside(tx)
    return outcome
  })
}

async function callSendMessage(
  db: Db,
  sender: Sender,
  to: Destination,
  known: LoadedPreconditions,
  draft: Draft,
  { caller = sender.user_id, idempotencyKey }: SendOptions,
): Promise<MessageId | LoadedPreconditions> {
  const { organization_id, user_id, credential } = sender
  const { rendered, first } = draft
  const stream = getStream(to)
  const flaggedUsers = [...rendered.mentioned.union(rendered.alerted)]
  const send = (restOfEvent: RawBuilder<unknown>) => sql<Outcome>`
    send_message(
      ${organization_id}, ${user_id}, ${credential?.hash ?? null}, ${lockKey('organizationRoles', organization_id)},
      ${stream}, ${stream === null ? null : lockKey('stream', stream)}, ${getPeople(to)}, ${known.text},
      ${caller}, ${idempotencyKey?.key ?? null}, ${idempotencyKey?.fingerprint ?? null},
      ${draft.topic}, ${foldTopic(draft.topic)}, ${draft.content}, ${rendered.html}, ${draft.client},
      ${listContentWords(user_id, rendered.html)}, ${listTopicWords(draft.topic)},
      ${rendered.has_link}, ${rendered.has_image}, ${rendered.mentions_wildcard},
      ${flaggedUsers}, ${flaggedUsers.map((id) => rendered.mentioned.has(id))}, ${flaggedUsers.map((id) => rendered.alerted.has(id))},
      ${rendered.mentionedBots}, ${draft.readers}, ${JSON.stringify(draft.header)}, ${restOfEvent},
      ${first ? JSON.stringify(first.header) : null}, ${first?.eventBeforeId ?? null})`
  const { rows } = await buildStatement(sender, draft, send).execute(db)
  const { outcome, detail, id } = rows[0] as Outcome
  switch (outcome) {
    case 'sent':
      pokeAfterCommit(db)
      if (idempotencyKey) idempotencyKey.isSaved = true
      return id as MessageId
    case 'facts':
      return parsePreconditions(detail ?? 'null')
    case 'answered':
      throw new IdempotentReplay(JSON.parse(detail ?? '{}') as object)
    case 'reused':
      throw new ApiError('IDEMPOTENCY_KEY_REUSED')
  }
}

/** Builds the statement that does everything of a send. Messages with widgets have no previews. */
function buildStatement(
  sender: Sender,
  { restOfEvent, widget, content, rendered: { pageLinks: links } }: Draft,
  send: (restOfEvent: RawBuilder<unknown>) => RawBuilder<Outcome>,
): RawBuilder<Outcome> {
  if (widget !== undefined)
    return withWidget(sender, widget, send(sql`${restOfEvent}::text || widget.id || ${endOfWidgetEvent}`))
  const plain = send(sql`${restOfEvent}`)
  return links.length > 0
    ? withPreviewRequest(sender, { content, links }, plain)
    : sql<Outcome>`select * from ${plain}`
}

/** Builds the statement that sends a message and stores the submessage that makes it interactive. */
const withWidget = (
  { organization_id, user_id }: Sender,
  content: string,
  send: RawBuilder<Outcome>,
): RawBuilder<Outcome> => sql<Outcome>`
  with widget as materialized (select nextval('message_id') as id),
  sent as materialized (select sent.* from widget, ${send} as sent),
  stored as (
    insert into submessage (organization_id, message_id, id, sender_id, msg_type, content)
    select ${organization_id}, sent.id, widget.id, ${user_id}, ${widgetType}, ${content}
    from widget, sent where sent.outcome = 'sent')
  select * from sent`
