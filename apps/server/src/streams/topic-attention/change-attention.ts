import { ApiError, Attention, type api, type ParamsOf, type StreamId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { lockSettings } from '../../identity/lock-settings.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockStreamDirectory } from '../../platform/database/locks.ts'
import { accessStream } from '../access.ts'
import type { AccountKey } from '../queries.ts'
import { attentionChanged, emitMutedTopics } from './events.ts'
import { countAttention, findAttention, writeAttention } from './queries.ts'

/** Limits the size of the event `muted_topics`, which contains the complete list after every change. */
const maxMutedTopics = 1_000
/** Limits the size of the state. */
const maxTopicsAttended = 5_000

type Params = ParamsOf<typeof api.subscriptions.setAttention>

export async function setAttention(
  app: App,
  actor: Actor,
  { stream_id, topic, visibility_policy }: Params,
): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    await lockAttention(tx, actor)
    // A user may always go back to the default, also in a stream that they have left.
    if (visibility_policy !== Attention.none) await accessStream(tx, actor, stream_id)
    await changeAttention(tx, actor, stream_id, topic, visibility_policy as Attention)
    return {}
  })
}

/** Takes the locks under which an account's attention to topics is read and changed. */
export async function lockAttention(tx: Tx, account: AccountKey): Promise<void> {
  // An event contains names of streams, which must not change meanwhile.
  await lockStreamDirectory(tx, account.organization_id, 'shared')
  await lockSettings(tx, account)
}

/** Sets the attention of an account to a topic. The caller took `lockAttention`. */
export async function changeAttention(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  stream_id: StreamId,
  topic: string,
  policy: Attention,
): Promise<void> {
  const account = { organization_id, user_id }
  const before = await findAttention(tx, account, stream_id, topic)
  if (before === policy) return
  const changed_at = await writeAttention(tx, { organization_id, stream_id, topic }, [user_id], policy)
  await refuseTooMany(tx, account, policy)
  emit(tx, attentionChanged(organization_id, [user_id], { stream_id, topic, changed_at, policy }))
  if (before === Attention.muted || policy === Attention.muted)
    await emitMutedTopics(tx, organization_id, [user_id])
}

async function refuseTooMany(tx: Tx, account: AccountKey, policy: Attention): Promise<void> {
  if (policy === Attention.none) return
  if (policy === Attention.muted) {
    if ((await countAttention(tx, account, 'muted_topic')) > maxMutedTopics)
      throw new ApiError('TOO_MANY_MUTED_TOPICS', { limit: maxMutedTopics })
  } else if ((await countAttention(tx, account, 'topic_attention')) > maxTopicsAttended)
    throw new ApiError('TOO_MANY_TOPICS_ATTENDED', { limit: maxTopicsAttended })
}
