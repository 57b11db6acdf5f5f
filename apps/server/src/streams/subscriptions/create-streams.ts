import { type api, foldName, type ParamsOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { RetryTransaction } from '../../platform/database/transaction.ts'
import { getRolesThatSee } from '../audiences.ts'
import { isHistoryShared } from '../change-privacy.ts'
import { renderDescription } from '../descriptions.ts'
import { streamsCreated } from '../events.ts'
import { checkStreamName, toSingleLine } from '../names.ts'
import { insertStreams, type StreamWithMembership } from '../queries.ts'
import { parseRetention } from '../retention.ts'
import { lockStreamsByName } from './lock-streams-by-name.ts'

type Params = ParamsOf<typeof api.subscriptions.subscribe>

/** A requested stream, which is created if it does not exist. */
export type StreamDraft = Omit<
  StreamRow,
  'organization_id' | 'id' | 'email_token' | 'created_at' | 'archived_at' | 'first_message_id'
>

/** Builds drafts without duplicate names. Renders descriptions, so call it before taking locks. */
export async function draftStreams(
  app: App,
  requested: Params['subscriptions'],
  params: Omit<Params, 'subscriptions' | 'principals'>,
): Promise<StreamDraft[]> {
  const settings = {
    invite_only: params.invite_only,
    history_public_to_subscribers: isHistoryShared(params.invite_only, params.history_public_to_subscribers),
    stream_post_policy: params.stream_post_policy,
    message_retention_days: parseRetention(params.message_retention_days),
  }
  const drafts = new Map<string, StreamDraft>()
  for (const request of requested) {
    const name = checkStreamName(request.name)
    const folded_name = foldName(name)
    if (drafts.has(folded_name)) continue
    const description = toSingleLine(request.description ?? '')
    const rendered_description = await renderDescription(app, description)
    drafts.set(folded_name, { name, folded_name, description, rendered_description, ...settings })
  }
  return [...drafts.values()]
}

export interface MatchedStreams {
  existing: StreamWithMembership[]
  missing: StreamDraft[]
}

/**
 * Locks the existing streams with the names of the drafts. Returns these streams, and the drafts of
 * missing streams, both in the order of the drafts.
 */
export async function matchDrafts(
  tx: Tx,
  actor: Actor,
  drafts: readonly StreamDraft[],
): Promise<MatchedStreams> {
  const names = drafts.map(({ folded_name }) => folded_name)
  const streams = await lockStreamsByName(tx, actor, names)
  const byName = new Map(streams.map((stream) => [stream.folded_name, stream]))
  return {
    existing: names.flatMap((name) => byName.get(name) ?? []),
    missing: drafts.filter(({ folded_name }) => !byName.has(folded_name)),
  }
}

export async function createStreams(
  tx: Tx,
  { organization_id }: Pick<Actor, 'organization_id'>,
  drafts: readonly StreamDraft[],
): Promise<StreamRow[]> {
  // A fixed order of inserts avoids deadlocks between requests that create the same streams.
  const created = await insertStreams(
    tx,
    drafts
      .map((draft) => ({ ...draft, organization_id }))
      .sort((a, b) => (a.folded_name < b.folded_name ? -1 : 1)),
  )
  if (created.length < drafts.length)
    throw new RetryTransaction('someone else made a stream of that name meanwhile')
  const order = new Map(drafts.map(({ folded_name }, index) => [folded_name, index]))
  const getPosition = ({ folded_name }: StreamRow) => order.get(folded_name) ?? 0
  created.sort((a, b) => getPosition(a) - getPosition(b))
  for (const stream of created)
    emit(tx, streamsCreated(organization_id, [stream], { roles: getRolesThatSee(stream) }))
  return created
}
