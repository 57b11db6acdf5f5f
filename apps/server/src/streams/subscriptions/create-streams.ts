import { setImmediate } from 'node:timers/promises'
import { type api, foldName, type ParamsOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { RetryTransaction } from '../../platform/database/transaction.ts'
import { getRolesThatSee } from '../audiences.ts'
import { isHistoryShared } from '../change-privacy.ts'
import { streamsCreated } from '../events.ts'
import { checkStreamName, toSingleLine } from '../names.ts'
import { insertStreams, type NewStream, type StreamWithMembership } from '../queries.ts'
import { parseRetention } from '../retention.ts'

type Params = ParamsOf<typeof api.subscriptions.subscribe>

/** A requested stream, which is created if it does not exist. */
export type StreamDraft = Omit<
  StreamRow,
  | 'organization_id'
  | 'id'
  | 'rendered_description'
  | 'email_token'
  | 'created_at'
  | 'archived_at'
  | 'first_message_id'
  | 'folder_id'
  | 'rights'
>

/** Returns the HTML of a description. */
export type RenderDescription = (text: string) => Promise<string>

/**
 * Returns a function that renders each description once. Rendering is slow, so it should be called
 * for all new streams before locks are taken.
 */
export function makeDescriptionRenderer({ markdown }: App): RenderDescription {
  const rendered = new Map([['', '']])
  return async (text) => {
    const known = rendered.get(text)
    if (known !== undefined) return known
    const html = await markdown.renderShort(text)
    rendered.set(text, html)
    // Rendering on the main thread would otherwise block the event loop until the last text is done.
    await setImmediate()
    return html
  }
}

/** Builds drafts without duplicate names. */
export function draftStreams(
  requested: Params['subscriptions'],
  params: Omit<Params, 'subscriptions' | 'principals'>,
): StreamDraft[] {
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
    drafts.set(folded_name, { name, folded_name, description, ...settings })
  }
  return [...drafts.values()]
}

export interface MatchedStreams {
  existing: StreamWithMembership[]
  missing: StreamDraft[]
}

/**
 * Separates the drafts of missing streams from existing streams. Both keep the order of the drafts.
 *
 * @param streams the streams with the names of the drafts
 */
export function matchDrafts(
  streams: readonly StreamWithMembership[],
  drafts: readonly StreamDraft[],
): MatchedStreams {
  const byName = new Map(streams.map((stream) => [stream.folded_name, stream]))
  return {
    existing: drafts.flatMap(({ folded_name }) => byName.get(folded_name) ?? []),
    missing: drafts.filter(({ folded_name }) => !byName.has(folded_name)),
  }
}

export async function createStreams(
  tx: Tx,
  { organization_id }: Pick<Actor, 'organization_id'>,
  drafts: readonly StreamDraft[],
  renderDescription: RenderDescription,
): Promise<StreamRow[]> {
  const rows: NewStream[] = []
  for (const draft of drafts) {
    const rendered_description = await renderDescription(draft.description)
    rows.push({ ...draft, organization_id, rendered_description })
  }
  // A fixed order of inserts avoids deadlocks between requests that create the same streams.
  rows.sort((a, b) => (a.folded_name < b.folded_name ? -1 : 1))
  const created = await insertStreams(tx, rows)
  if (created.length < drafts.length)
    throw new RetryTransaction('someone else made a stream of that name meanwhile')
  const order = new Map(drafts.map(({ folded_name }, index) => [folded_name, index]))
  const getPosition = ({ folded_name }: StreamRow) => order.get(folded_name) ?? 0
  created.sort((a, b) => getPosition(a) - getPosition(b))
  for (const stream of created)
    emit(tx, streamsCreated(organization_id, [stream], { roles: getRolesThatSee(stream) }))
  return created
}
