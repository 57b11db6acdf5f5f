import type { PostPolicy } from '@oxbow/contract/plain'
import { client } from '../data/client.ts'
import { focusedOnOpen } from '../data/composer-focus.ts'
import { ownId } from '../data/store.ts'
import { targetKey } from '../data/target-key.ts'
import { streamRoute } from '../router/route.ts'
import { openRoute } from '../router/router.ts'

export interface NewStreamFields {
  readonly name: string
  readonly description: string
  readonly invite_only: boolean
  readonly history_public_to_subscribers: boolean
  readonly stream_post_policy: PostPolicy
  /** Other people to subscribe. */
  readonly user_ids: readonly number[]
}

/** Creates a stream, and opens it with its composer focused. Throws the server's refusal. */
export async function createStream(fields: NewStreamFields): Promise<void> {
  const { name, description, user_ids, ...settings } = fields
  const stream = name.trim()
  await client.subscriptions.subscribe({
    subscriptions: [{ name: stream, description: description.trim() }],
    ...(user_ids.length > 0 && { principals: [ownId.peek(), ...user_ids] as never }),
    ...settings,
  })
  const { stream_id } = await client.streams.getId({ stream })
  focusedOnOpen.value = targetKey({ type: 'stream', stream_id })
  openRoute(streamRoute({ stream_id, name: stream }))
}
