import type { api, ParamsOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { BeginAgain } from '../../platform/database/transaction.ts'
import { openTo } from '../audiences.ts'
import { historyOf } from '../change-privacy.ts'
import { renderDescription } from '../descriptions.ts'
import { streamsCreated } from '../events.ts'
import { checkStreamName, foldName, oneLine } from '../names.ts'
import { insertStreams, type StreamWithMembership } from '../queries.ts'
import { readRetention } from '../retention.ts'
import { holdNamedStreams } from './hold-named-streams.ts'

type Given = ParamsOf<typeof api.subscriptions.subscribe>

/** A stream as it was asked for, should it not exist. */
export type Draft = Omit<
  StreamRow,
  'organization_id' | 'id' | 'email_token' | 'created_at' | 'archived_at' | 'first_message_id'
>

/** Each name once. Descriptions are rendered before anything is held. */
export async function draftStreams(
  app: App,
  wanted: Given['subscriptions'],
  given: Omit<Given, 'subscriptions' | 'principals'>,
): Promise<Draft[]> {
  const settings = {
    invite_only: given.invite_only,
    history_public_to_subscribers: historyOf(given.invite_only, given.history_public_to_subscribers),
    stream_post_policy: given.stream_post_policy,
    message_retention_days: readRetention(given.message_retention_days),
  }
  const drafts = new Map<string, Draft>()
  for (const each of wanted) {
    const name = checkStreamName(each.name)
    const folded_name = foldName(name)
    if (drafts.has(folded_name)) continue
    const description = oneLine(each.description ?? '')
    const rendered_description = await renderDescription(app, description)
    drafts.set(folded_name, { name, folded_name, description, rendered_description, ...settings })
  }
  return [...drafts.values()]
}

export interface Found {
  existing: StreamWithMembership[]
  missing: Draft[]
}

/** In the order of the drafts. */
export async function findOrDraft(tx: Tx, actor: Actor, drafts: readonly Draft[]): Promise<Found> {
  const names = drafts.map(({ folded_name }) => folded_name)
  const streams = await holdNamedStreams(tx, actor, names)
  const byName = new Map(streams.map((stream) => [stream.folded_name, stream]))
  return {
    existing: names.flatMap((name) => byName.get(name) ?? []),
    missing: drafts.filter(({ folded_name }) => !byName.has(folded_name)),
  }
}

export async function createStreams(
  tx: Tx,
  { organization_id }: Pick<Actor, 'organization_id'>,
  drafts: readonly Draft[],
): Promise<StreamRow[]> {
  // By name: of two who create the same ones, neither waits for the other while the other waits for it.
  const created = await insertStreams(
    tx,
    drafts
      .map((draft) => ({ ...draft, organization_id }))
      .sort((a, b) => (a.folded_name < b.folded_name ? -1 : 1)),
  )
  if (created.length < drafts.length)
    throw new BeginAgain('someone else made a stream of that name meanwhile')
  const places = new Map(drafts.map(({ folded_name }, place) => [folded_name, place]))
  const placeOf = ({ folded_name }: StreamRow) => places.get(folded_name) ?? 0
  created.sort((a, b) => placeOf(a) - placeOf(b))
  for (const stream of created) emit(tx, streamsCreated(organization_id, [stream], { roles: openTo(stream) }))
  return created
}
