import { Attention, foldTopic, type OrganizationId, type StreamId, type UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import { emit } from '../../events/emit.ts'
import type { App } from '../../platform/app.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { lockStreamDirectory } from '../../platform/database/locks.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { enqueue, job } from '../../platform/jobs/jobs.ts'
import { attentionChanged, emitMutedTopics } from './events.ts'
import { listAttentionOfUsers, lockAttentive, writeAttention } from './queries.ts'

interface Place {
  stream_id: StreamId
  topic: string
}

/** A topic whose messages were all moved. */
interface MovedTopic {
  organization_id: OrganizationId
  from: Place
  to: Place
  /** Whether the target had no messages before, so that muting moves too. */
  isNewTopic: boolean
}

/** Limits the locks and events of a transaction. A job moves the attention of further users. */
const maxUsersPerTransaction = 10_000

/**
 * Moves the attention of users from a topic that was moved or renamed whole to its new place. The stream
 * directory must be locked.
 */
export async function moveAttention(tx: Tx, moved: MovedTopic): Promise<void> {
  const { rows } = await sql<{ until: string }>`select clock_timestamp()::text as until`.execute(tx)
  await moveNextUsers(tx, moved, rows[0]?.until as string)
}

async function moveNextUsers(tx: Tx, moved: MovedTopic, until: string): Promise<void> {
  const { organization_id, from } = moved
  const users = await lockAttentive(tx, { organization_id, ...from }, until, maxUsersPerTransaction)
  if (users.length === 0) return
  await moveAttentionOf(tx, moved, users)
  if (users.length === maxUsersPerTransaction) await enqueue(tx, moveAttentionJob, { ...moved, until })
}

export const moveAttentionJob = job<MovedTopic & { until: string }>({
  name: 'move_topic_attention',
  async run({ db }: App, { until, ...moved }) {
    await inTransaction(db, async (tx) => {
      await lockStreamDirectory(tx, moved.organization_id, 'shared')
      await moveNextUsers(tx, moved, until)
    })
  },
})

/** Moves the attention of users whose settings are locked. */
async function moveAttentionOf(
  tx: Tx,
  { organization_id, from, to, isNewTopic }: MovedTopic,
  users: readonly UserId[],
): Promise<void> {
  const [source, target] = [
    { organization_id, ...from },
    { organization_id, ...to },
  ]
  const before = await listAttentionOfUsers(tx, source, users)
  const rowsAtTarget = await listAttentionOfUsers(tx, target, users)
  const atTarget = new Map(rowsAtTarget.map(({ user_id, policy }) => [user_id, policy]))
  const allowed = await listUsersWithAccess(tx, organization_id, to.stream_id, users)
  const after = before
    .filter(({ user_id }) => allowed.has(user_id))
    .map(({ user_id, policy }) => ({
      user_id,
      policy: combine(policy, atTarget.get(user_id), isNewTopic),
    }))
    .filter(({ user_id, policy }) => policy !== (atTarget.get(user_id) ?? Attention.none))
  const changed_at = await writeAttention(tx, source, users, Attention.none)
  const gone = { stream_id: from.stream_id, topic: from.topic, changed_at, policy: Attention.none }
  emit(tx, attentionChanged(organization_id, users, gone))
  for (const [policy, group] of Map.groupBy(after, (row) => row.policy)) {
    const changed = group.map(({ user_id }) => user_id)
    const changed_at = await writeAttention(tx, target, changed, policy)
    emit(tx, attentionChanged(organization_id, changed, { ...to, changed_at, policy }))
  }
  const muters = [...before, ...rowsAtTarget].filter(({ policy }) => policy === Attention.muted)
  await emitMutedTopics(tx, organization_id, [...new Set(muters.map(({ user_id }) => user_id))])
}

/**
 * Returns the attention to a topic that another one was moved into: the greater of both. A muted topic
 * that becomes part of a topic with messages of its own mutes only what was muted there too.
 */
function combine(moved: Attention, target: Attention | undefined, isNewTopic: boolean): Attention {
  if (target !== undefined) return moved > target ? moved : target
  return moved === Attention.muted && !isNewTopic ? Attention.none : moved
}

/** Returns which of the users may read the stream: subscribers, and all but guests if it is public. */
async function listUsersWithAccess(
  db: Db,
  organization_id: OrganizationId,
  stream_id: StreamId,
  users: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const { rows } = await sql<{ id: UserId }>`
    select u.id from user_account u
    join stream on stream.organization_id = u.organization_id and stream.id = ${stream_id}
    where u.organization_id = ${organization_id} and u.id = any(${[...users]}::bigint[]) and (
      (u.role < 600 and not stream.invite_only) or exists (
        select from subscription s
        where s.organization_id = u.organization_id and s.user_id = u.id and s.stream_id = stream.id
          and s.is_active))`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Whether the topic has no message of any time. */
export async function isTopicEmpty(
  db: Db,
  organization_id: OrganizationId,
  { stream_id, topic }: Place,
): Promise<boolean> {
  const { rows } = await sql`
    select from message
    where organization_id = ${organization_id} and recipient_id = ${stream_id}
      and folded_topic = ${foldTopic(topic)} limit 1`.execute(db)
  return rows.length === 0
}
