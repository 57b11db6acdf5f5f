import { Role } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import type { Tx } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { canListMembers, canSee } from './access.ts'
import { getMemberListAudience } from './audiences.ts'
import { emitDefaultGroups, emitDefaultStreams } from './defaults/emit-defaults.ts'
import { listDefaultGroups, listDefaultStreams } from './defaults/queries.ts'
import { streamsAppeared, streamsDeleted } from './events.ts'
import { listRecentTraffic, listStreams, type StreamWithMembership } from './queries.ts'
import { peersAdded } from './subscriptions/events.ts'
import { deleteAttentionOfUser } from './topic-attention/queries.ts'

type Account = Pick<UserRow, 'organization_id' | 'id' | 'role'>

/**
 * Bounds the size of a record, which every node reads, because a large organization has many
 * streams.
 */
const maxStreamsPerRecord = 200

/**
 * Emits which streams an account can and can no longer see after its role changes. The
 * organization's role lock must be held exclusively, so that no stream changes meanwhile.
 */
export async function emitStreamsForRole(tx: Tx, account: Account, role: Role): Promise<void> {
  const { organization_id, id } = account
  const { lost, gained } = await compareVisibleStreams(tx, account, role)
  await deleteAttentionOfUser(tx, { organization_id, user_id: id }, getIds(lost))
  for (const streams of splitIntoRecords(lost))
    emit(tx, streamsDeleted(organization_id, streams, { users: [id] }))
  if (gained.length > 0) {
    const traffic = await listRecentTraffic(tx, organization_id, getIds(gained))
    for (const streams of splitIntoRecords(gained))
      emit(tx, streamsAppeared(organization_id, streams, traffic, { users: [id] }))
  }
  if (account.role === Role.guest || (role !== Role.guest && (await hasDefaultStream(tx, lost)))) {
    await emitDefaultStreams(tx, organization_id, { users: [id] })
    await emitDefaultGroups(tx, organization_id, { users: [id] })
  }
}

/**
 * Returns whether one of these streams is a default stream. The account still sees such a stream in
 * the lists of default streams, even if it is private.
 */
async function hasDefaultStream(tx: Tx, streams: readonly StreamWithMembership[]): Promise<boolean> {
  const [first] = streams
  if (!first) return false
  const groups = await listDefaultGroups(tx, first.organization_id)
  const listed = [
    ...(await listDefaultStreams(tx, first.organization_id)),
    ...groups.flatMap((group) => group.streams),
  ]
  const lost = new Set(getIds(streams))
  return listed.some(({ id }) => lost.has(id))
}

/**
 * Deletes the attention of a deactivated account to topics of streams that its new role cannot see. Emits
 * no events.
 */
export async function deleteHiddenAttention(tx: Tx, account: Account, role: Role): Promise<void> {
  const { organization_id, id } = account
  const { lost } = await compareVisibleStreams(tx, account, role)
  await deleteAttentionOfUser(tx, { organization_id, user_id: id }, getIds(lost))
}

async function compareVisibleStreams(tx: Tx, { organization_id, id, role: before }: Account, after: Role) {
  const streams = await listStreams(tx, { organization_id, user_id: id })
  const viewerWithRole = (role: Role, { membership }: StreamWithMembership) => ({ role, membership })
  return {
    lost: streams.filter(
      (stream) =>
        canSee(stream, viewerWithRole(before, stream)) && !canSee(stream, viewerWithRole(after, stream)),
    ),
    // A former member sees the stream with every role, but may gain access to its subscribers,
    // which are in the same event.
    gained: streams.filter(
      (stream) =>
        canListMembers(stream, viewerWithRole(after, stream)) &&
        !canListMembers(stream, viewerWithRole(before, stream)),
    ),
  }
}

/**
 * Emits that a reactivated account is subscribed to its streams again. The organization's role lock
 * must be held exclusively.
 */
export async function emitReturnToStreams(tx: Tx, { organization_id, id }: Account): Promise<void> {
  const streams = await listStreams(tx, { organization_id, user_id: id })
  for (const stream of streams.filter(({ membership }) => membership === 'in'))
    emit(tx, peersAdded(stream, [id], getMemberListAudience(stream)))
}

const getIds = (streams: readonly StreamWithMembership[]) => streams.map(({ id }) => id)

function* splitIntoRecords(streams: readonly StreamWithMembership[]): Generator<StreamWithMembership[]> {
  for (let start = 0; start < streams.length; start += maxStreamsPerRecord)
    yield streams.slice(start, start + maxStreamsPerRecord)
}
