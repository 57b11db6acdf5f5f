import type { UserId } from '@oxbow/contract'
import type { PostPolicy } from '@oxbow/contract/plain'
import { client } from '../client/client.ts'
import { targetKey } from '../client/conversations/target.ts'
import { streamRoute } from '../client/route/route.ts'
import { openRoute } from '../client/route/router.ts'
import { getOwnId } from '../client/store.ts'
import { focusedOnOpen } from '../client/writing/composer-focus.ts'

export interface NewStreamFields {
  readonly name: string
  readonly description: string
  readonly invite_only: boolean
  readonly history_public_to_subscribers: boolean
  readonly stream_post_policy: PostPolicy
  /** Other people to subscribe. */
  readonly user_ids: readonly UserId[]
}

/** Creates a stream, and opens it with its composer focused. Throws the server's refusal. */
export async function createStream(fields: NewStreamFields): Promise<void> {
  const { name, description, user_ids, ...settings } = fields
  const stream = name.trim()
  await client.subscriptions.subscribe({
    subscriptions: [{ name: stream, description: description.trim() }],
    ...(user_ids.length > 0 && { principals: [getOwnId(), ...user_ids] }),
    ...settings,
  })
  const { stream_id } = await client.streams.getId({ stream })
  focusedOnOpen.value = targetKey({ type: 'stream', stream_id })
  openRoute(streamRoute({ stream_id, name: stream }))
}
