import { client } from '../data/client.ts'
import { nameOf } from '../data/names.ts'
import { changeMembers } from '../data/stream-facts.ts'
import type { KnownStream } from '../data/streams.ts'
import { t } from '../text/t.ts'
import { offerUndo } from '../ui/undo.ts'
import { awaitOrShowRefusal } from './act.ts'

const listChanges = (user_ids: readonly number[], isIn: boolean) =>
  new Map(user_ids.map((user_id) => [user_id, isIn]))

/** Adds people to a stream. Throws the server's refusal. */
export async function addMembers(
  { stream_id, name }: KnownStream,
  user_ids: readonly number[],
): Promise<void> {
  await client.subscriptions.subscribe({
    subscriptions: [{ name }],
    principals: user_ids as never,
  })
  changeMembers(stream_id, listChanges(user_ids, true))
}

/** Unsubscribes a person from a stream optimistically, and offers to undo it. */
export async function removeMember(stream: KnownStream, user_id: number): Promise<void> {
  const { stream_id, name } = stream
  changeMembers(stream_id, listChanges([user_id], false))
  const isDone = await awaitOrShowRefusal(
    client.subscriptions.unsubscribe({ subscriptions: [name], principals: [user_id] as never }),
  )
  if (isDone)
    offerUndo(t('streams.removed', { name: nameOf(user_id), stream: name }), () => {
      void awaitOrShowRefusal(addMembers(stream, [user_id]))
    })
  else changeMembers(stream_id, listChanges([user_id], true))
}
