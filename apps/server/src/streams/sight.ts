import { Role } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import type { Tx } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { mayListMembers, maySee } from './access.ts'
import { whoSeesMembers } from './audiences.ts'
import { listDefaultGroups, listDefaultStreams } from './defaults/queries.ts'
import { tellDefaultGroups, tellDefaultStreams } from './defaults/tell-defaults.ts'
import { streamsAppeared, streamsDeleted } from './events.ts'
import { deleteMutedTopicsOf } from './muted-topics/queries.ts'
import { listRecentTraffic, listStreams, type StreamWithMembership } from './queries.ts'
import { peersAdded } from './subscriptions/events.ts'

type Account = Pick<UserRow, 'organization_id' | 'id' | 'role'>

/** A record is read by every node; one with all streams of a large organization would be long. */
const mostInRecord = 200

/**
 * Another role shows other streams: whoever loses sight of some is told, and whoever gains sight too. The roles must be
 * held alone, so nothing about streams changes meanwhile.
 */
export async function tellSightOfStreams(tx: Tx, account: Account, role: Role): Promise<void> {
  const { organization_id, id } = account
  const { lost, gained } = await compareSight(tx, account, role)
  await deleteMutedTopicsOf(tx, { organization_id, user_id: id }, ids(lost))
  for (const streams of inGroups(lost)) emit(tx, streamsDeleted(organization_id, streams, { users: [id] }))
  if (gained.length > 0) {
    const traffic = await listRecentTraffic(tx, organization_id, ids(gained))
    for (const streams of inGroups(gained))
      emit(tx, streamsAppeared(organization_id, streams, traffic, { users: [id] }))
  }
  if (account.role === Role.guest || (role !== Role.guest && (await hasDefaults(tx, lost)))) {
    await tellDefaultStreams(tx, organization_id, { users: [id] })
    await tellDefaultGroups(tx, organization_id, { users: [id] })
  }
}

/** Whoever loses sight of a private stream still sees it among the default streams, where it is one. */
async function hasDefaults(tx: Tx, streams: readonly StreamWithMembership[]): Promise<boolean> {
  const [first] = streams
  if (!first) return false
  const groups = await listDefaultGroups(tx, first.organization_id)
  const listed = [
    ...(await listDefaultStreams(tx, first.organization_id)),
    ...groups.flatMap((group) => group.streams),
  ]
  const lost = new Set(ids(streams))
  return listed.some(({ id }) => lost.has(id))
}

/** Of someone deactivated: there is nobody to tell, but what they may not see they do not keep. */
export async function forgetSightOfStreams(tx: Tx, account: Account, role: Role): Promise<void> {
  const { organization_id, id } = account
  const { lost } = await compareSight(tx, account, role)
  await deleteMutedTopicsOf(tx, { organization_id, user_id: id }, ids(lost))
}

async function compareSight(tx: Tx, { organization_id, id, role: before }: Account, after: Role) {
  const streams = await listStreams(tx, { organization_id, user_id: id })
  const as = (role: Role, { membership }: StreamWithMembership) => ({ role, membership })
  return {
    lost: streams.filter(
      (stream) => maySee(stream, as(before, stream)) && !maySee(stream, as(after, stream)),
    ),
    gained: streams.filter(
      (stream) => mayListMembers(stream, as(after, stream)) && !mayListMembers(stream, as(before, stream)),
    ),
  }
}

/** The account is active again, and with it its subscriptions. The roles must be held alone. */
export async function tellReturnToStreams(tx: Tx, { organization_id, id }: Account): Promise<void> {
  const streams = await listStreams(tx, { organization_id, user_id: id })
  for (const stream of streams.filter(({ membership }) => membership === 'in'))
    emit(tx, peersAdded(stream, [id], whoSeesMembers(stream)))
}

const ids = (streams: readonly StreamWithMembership[]) => streams.map(({ id }) => id)

function* inGroups(streams: readonly StreamWithMembership[]): Generator<StreamWithMembership[]> {
  for (let start = 0; start < streams.length; start += mostInRecord)
    yield streams.slice(start, start + mostInRecord)
}
