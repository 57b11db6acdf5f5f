import type { StreamFolderId } from '@oxbow/contract'
import type { PostPolicy } from '@oxbow/contract/plain'
import { client } from '../client/client.ts'
import type { KnownStream } from '../client/streams/streams.ts'

export interface StreamChanges {
  readonly name?: string
  readonly description?: string
  readonly folder_id?: StreamFolderId | null
  readonly invite_only?: boolean
  readonly history_public_to_subscribers?: boolean
  readonly stream_post_policy?: PostPolicy
}

/** Changes a stream for everyone. Sends only the fields that differ. Throws the server's refusal. */
export async function editStream(stream: KnownStream, changes: StreamChanges): Promise<void> {
  const { stream_id } = stream
  const differs = (name: keyof StreamChanges) => changes[name] !== undefined && changes[name] !== stream[name]
  const isOtherPrivacy = differs('invite_only') || differs('history_public_to_subscribers')
  const request = {
    ...(differs('name') && { new_name: changes.name }),
    ...(differs('description') && { description: changes.description }),
    ...(differs('folder_id') && { folder_id: changes.folder_id }),
    ...(differs('stream_post_policy') && { stream_post_policy: changes.stream_post_policy }),
    ...(isOtherPrivacy && {
      is_private: changes.invite_only,
      history_public_to_subscribers: changes.history_public_to_subscribers,
    }),
  }
  if (Object.keys(request).length > 0) await client.streams.update({ stream_id, ...(request as object) })
}

/** Archives a stream for everyone. Throws the server's refusal. */
export const archiveStream = ({ stream_id }: KnownStream): Promise<unknown> =>
  client.streams.archive({ stream_id })

/** Deletes all messages of a topic for everyone. Throws the server's refusal. */
export const deleteTopic = ({ stream_id }: KnownStream, topic: string): Promise<unknown> =>
  client.streams.deleteTopic({ stream_id, topic_name: topic })
