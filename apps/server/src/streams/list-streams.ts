import { ApiError, type api, isAdministrator, type ParamsOf, type ResponseOf, Role } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { type InPieces, inPieces } from '../platform/pieces.ts'
import { accessStreamByName, accessStreamToSee, mayAccess, maySee, viewerOf } from './access.ts'
import { listDefaultStreams } from './defaults/queries.ts'
import { findBotOwner, listStreams, listStreamsOf } from './queries.ts'
import { viewStream } from './views.ts'

type Streams = typeof api.streams

export async function listVisibleStreams(
  app: App,
  actor: Actor,
  asked: ParamsOf<Streams['list']>,
): Promise<InPieces<ResponseOf<Streams['list']>>> {
  if (asked.include_all_active && !isAdministrator(actor.role)) throw new ApiError('NOT_AUTHORIZED_FOR_QUERY')
  const { organization_id, role } = actor
  const streams = await listStreams(app.db, actor)
  const defaults = asked.include_default ? await listDefaultStreams(app.db, organization_id) : []
  const defaultIds = new Set(defaults.map(({ id }) => id))
  const owner = asked.include_owner_subscribed ? await findBotOwner(app.db, actor) : undefined
  const ofOwner = owner ? await listStreamsOf(app.db, owner) : new Set()

  const isWanted = (stream: (typeof streams)[number]) =>
    (asked.include_all_active && maySee(stream, viewerOf(actor, stream))) ||
    (asked.include_public && mayAccess(stream, { role, membership: 'never' })) ||
    (asked.include_subscribed && stream.membership === 'in') ||
    // What is a default stream is no secret to anyone but guests.
    (defaultIds.has(stream.id) && role !== Role.guest) ||
    ofOwner.has(stream.id)
  return {
    streams: inPieces(streams.filter(isWanted), (stream) => ({
      ...viewStream(stream),
      ...(asked.include_default && { is_default: defaultIds.has(stream.id) }),
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
