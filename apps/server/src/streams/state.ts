import { maxStreamDescriptionLength, maxStreamNameLength, Role } from '@oxbow/contract'
import type { StateContext, StateSlice } from '../events/state-slice.ts'
import { jsonInPieces } from '../platform/pieces.ts'
import { canAccess, toViewer } from './access.ts'
import { viewDefaultGroup } from './defaults/emit-defaults.ts'
import { listDefaultGroups, listDefaultStreams } from './defaults/queries.ts'
import { listFolders } from './folders/queries.ts'
import { viewFolder } from './folders/views.ts'
import { getPerson, listStreams } from './queries.ts'
import { listSections } from './sections/queries.ts'
import { listAttention, listMutedTopics } from './topic-attention/queries.ts'
import { viewMutedTopic, viewUserTopic } from './topic-attention/views.ts'
import { viewStream } from './views.ts'

/** The public streams and the streams that the account is subscribed to. */
export const streamsState: StateSlice = {
  types: ['stream'],
  async read({ actor, db }) {
    // Reads the role in the snapshot of the state, because the queue's events continue from that
    // snapshot.
    const me = await getPerson(db, actor)
    const streams = (await listStreams(db, actor)).filter((stream) => canAccess(stream, toViewer(me, stream)))
    return {
      streams: await jsonInPieces(streams, (stream) => JSON.stringify(viewStream(stream))),
      stream_name_max_length: maxStreamNameLength,
      stream_description_max_length: maxStreamDescriptionLength,
    }
  },
}

export const defaultStreamsState: StateSlice = {
  types: ['default_streams'],
  read: async (context) => ({
    realm_default_streams: (await isGuest(context))
      ? []
      : (await listDefaultStreams(context.db, context.actor.organization_id)).map(viewStream),
  }),
}

export const defaultStreamGroupsState: StateSlice = {
  types: ['default_stream_groups'],
  read: async (context) => ({
    realm_default_stream_groups: (await isGuest(context))
      ? []
      : (await listDefaultGroups(context.db, context.actor.organization_id)).map(viewDefaultGroup),
  }),
}

export const streamFoldersState: StateSlice = {
  types: ['channel_folders'],
  read: async ({ actor, db }) => ({
    channel_folders: (await listFolders(db, actor.organization_id)).map(viewFolder),
  }),
}

export const streamSectionsState: StateSlice = {
  types: ['stream_sections'],
  read: async ({ actor, db }) => ({ stream_sections: await listSections(db, actor) }),
}

export const mutedTopicsState: StateSlice = {
  types: ['muted_topics'],
  read: async ({ actor: { organization_id, user_id }, db }) => ({
    muted_topics: (await listMutedTopics(db, organization_id, [user_id])).map(viewMutedTopic),
  }),
}

export const userTopicsState: StateSlice = {
  types: ['user_topic'],
  read: async ({ actor, db }) => ({ user_topics: (await listAttention(db, actor)).map(viewUserTopic) }),
}

async function isGuest({ actor, db }: StateContext): Promise<boolean> {
  return (await getPerson(db, actor)).role === Role.guest
}
