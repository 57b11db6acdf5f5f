import { ApiError, type MessageId, type OrganizationId, type StreamId, type UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import { pokeAfterCommit } from '../../events/emit.ts'
import type { Header } from '../../events/record.ts'
import { AlreadyAnswered, type Repetition } from '../../platform/actor.ts'
import type { Db } from '../../platform/database/database.ts'
import { lockKey } from '../../platform/database/locks.ts'
import { foldName, foldTopic } from '../../streams/names.ts'
import type { RenderedContent } from '../content/render-content.ts'
import { wordsOfContent, wordsOfTopic } from '../search/words.ts'
import { type KnownFacts, readFacts } from './facts.ts'

/** Who sends; the server itself has no key. */
export interface Sender {
  organization_id: OrganizationId
  user_id: UserId
  api_key_hash: Buffer | null
}

/** Where it goes, by ids. */
export type Destination = { stream: StreamId } | { people: readonly UserId[] }

const streamOf = (to: Destination) => ('stream' in to ? to.stream : null)
const peopleOf = (to: Destination) => ('people' in to ? to.people : null)

export async function readSendFacts(db: Db, sender: Sender, to: Destination): Promise<KnownFacts> {
  const { organization_id, user_id, api_key_hash } = sender
  const { rows } = await sql<{ facts: string }>`
    select send_facts(${organization_id}, ${user_id}, ${api_key_hash}, ${streamOf(to)}, ${peopleOf(to)}) as facts`.execute(
    db,
  )
  return readFacts(rows[0]?.facts ?? 'null')
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
  /** JSON: what follows the id and the time in the message of the event, and the end of the event. */
  restOfEvent: string
  /** What tells of the stream's first message, where it has none. */
  first: { header: Header; eventBeforeId: string } | undefined
}

export interface Call {
  /** Whose call it is, where that is not the sender. */
  caller?: UserId
  repetition?: Repetition | undefined
}

interface Outcome {
  outcome: 'sent' | 'facts' | 'answered' | 'reused'
  detail: string | null
  id: MessageId | null
}

/** The id of what was sent; or the facts, where they are others than those it was decided by, and nothing was sent. */
export async function callSend(
  db: Db,
  sender: Sender,
  to: Destination,
  known: KnownFacts,
  draft: Draft,
  { caller = sender.user_id, repetition }: Call,
): Promise<MessageId | KnownFacts> {
  const { organization_id, user_id, api_key_hash } = sender
  const { rendered, first } = draft
  const stream = streamOf(to)
  const noted = [...rendered.mentioned.union(rendered.alerted)]
  const { rows } = await sql<Outcome>`
    select * from send_message(
      ${organization_id}, ${user_id}, ${api_key_hash}, ${lockKey('organizationRoles', organization_id)},
      ${stream}, ${stream === null ? null : lockKey('stream', stream)}, ${peopleOf(to)}, ${known.text},
      ${caller}, ${repetition?.key ?? null}, ${repetition?.fingerprint ?? null},
      ${draft.topic}, ${foldTopic(draft.topic)}, ${draft.content}, ${rendered.html}, ${draft.client},
      ${wordsOfContent(user_id, rendered.html)}, ${wordsOfTopic(draft.topic)},
      ${rendered.has_link}, ${rendered.has_image}, ${rendered.mentions_wildcard},
      ${noted}, ${noted.map((id) => rendered.mentioned.has(id))}, ${noted.map((id) => rendered.alerted.has(id))},
      ${rendered.calledBots}, ${draft.readers}, ${JSON.stringify(draft.header)}, ${draft.restOfEvent},
      ${first ? JSON.stringify(first.header) : null}, ${first?.eventBeforeId ?? null})`.execute(db)
  const { outcome, detail, id } = rows[0] as Outcome
  switch (outcome) {
    case 'sent':
      pokeAfterCommit(db)
      if (repetition) repetition.isKept = true
      return id as MessageId
    case 'facts':
      return readFacts(detail ?? 'null')
    case 'answered':
      throw new AlreadyAnswered(JSON.parse(detail ?? '{}') as object)
    case 'reused':
      throw new ApiError('IDEMPOTENCY_KEY_REUSED')
  }
}
