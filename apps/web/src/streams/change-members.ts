import type { UserId } from '@oxbow/contract'
import { awaitOrShowRefusal } from '../client/act.ts'
import { client } from '../client/client.ts'
import { nameOf } from '../client/people/names.ts'
import { changeMembers } from '../client/streams/stream-facts.ts'
import type { KnownStream } from '../client/streams/streams.ts'
import { offerUndo } from '../client/undo.ts'
import { t } from '../text/t.ts'

const listChanges = (user_ids: readonly UserId[], isIn: boolean) =>
  new Map(user_ids.map((user_id) => [user_id, isIn]))

/** Adds people to a stream. Throws the server's refusal. */
export async function addMembers(
  { stream_id, name }: KnownStream,
  user_ids: readonly UserId[],
): Promise<void> {
  await client.subscriptions.subscribe({
    subscriptions: [{ name }],
    principals: [...user_ids],
  })
  changeMembers(stream_id, listChanges(user_ids, true))
}

/** Unsubscribes a person from a stream optimistically, and offers to undo it. */
export async function removeMember(stream: KnownStream, user_id: UserId): Promise<void> {
  const { stream_id, name } = stream
  changeMembers(stream_id, listChanges([user_id], false))
  const isDone = await awaitOrShowRefusal(
    client.subscriptions.unsubscribe({ subscriptions: [name], principals: [user_id] }),
  )
  if (isDone)
    offerUndo(t('streams.removed', { name: nameOf(user_id), stream: name }), () => {
      void awaitOrShowRefusal(addMembers(stream, [user_id]))
    })
  else changeMembers(stream_id, listChanges([user_id], true))
}
