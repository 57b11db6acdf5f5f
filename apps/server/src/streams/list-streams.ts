import {
  ApiError,
  type api,
  isAdministrator,
  type ParamsOf,
  type ResponseOf,
  Role,
  type StreamId,
} from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { type InPieces, inPieces } from '../platform/pieces.ts'
import {
  accessStreamByName,
  accessStreamToSee,
  canAccess,
  canListMembers,
  canSee,
  toViewer,
} from './access.ts'
import { listDefaultStreams } from './defaults/queries.ts'
import { countStreamMembers } from './members/queries.ts'
import { findBotOwner, listStreams, listSubscribedStreamIds } from './queries.ts'
import { viewStream } from './views.ts'

type Streams = typeof api.streams

export async function listVisibleStreams(
  app: App,
  actor: Actor,
  params: ParamsOf<Streams['list']>,
): Promise<InPieces<ResponseOf<Streams['list']>>> {
  if (params.include_all_active && !isAdministrator(actor.role))
    throw new ApiError('NOT_AUTHORIZED_FOR_QUERY')
  const { organization_id, role } = actor
  const streams = await listStreams(app.db, actor)
  const defaults = params.include_default ? await listDefaultStreams(app.db, organization_id) : []
  const defaultIds = new Set(defaults.map(({ id }) => id))
  const owner = params.include_owner_subscribed ? await findBotOwner(app.db, actor) : undefined
  const ownerStreams = owner ? await listSubscribedStreamIds(app.db, owner) : new Set()

  const isWanted = (stream: (typeof streams)[number]) =>
    (params.include_all_active && canSee(stream, toViewer(actor, stream))) ||
    (params.include_public && canAccess(stream, { role, membership: 'never' })) ||
    (params.include_subscribed && stream.membership === 'in') ||
    // Everyone except guests may see which streams are default streams.
    (defaultIds.has(stream.id) && role !== Role.guest) ||
    ownerStreams.has(stream.id)
  const wanted = streams.filter(isWanted)
  // The list may contain streams whose subscribers the caller may not see.
  const counted = wanted.filter((stream) => canListMembers(stream, toViewer(actor, stream)))
  const counts = params.include_subscriber_counts
    ? await countStreamMembers(
        app.db,
        organization_id,
        counted.map(({ id }) => id),
      )
    : new Map<StreamId, number>()
  return {
    streams: inPieces(wanted, (stream) => ({
      ...viewStream(stream),
      ...(params.include_default && { is_default: defaultIds.has(stream.id) }),
      ...(counts.has(stream.id) && { subscriber_count: counts.get(stream.id) }),
    })),
  }
}

export async function getStream(
  app: App,
  actor: Actor,
  { stream_id }: ParamsOf<Streams['get']>,
): Promise<ResponseOf<Streams['get']>> {
  return { stream: viewStream(await accessStreamToSee(app.db, actor, stream_id)) }
}

export async function getStreamId(
  app: App,
  actor: Actor,
  { stream }: ParamsOf<Streams['getId']>,
): Promise<ResponseOf<Streams['getId']>> {
  const { id } = await accessStreamByName(app.db, actor, stream)
  return { stream_id: id }
}
