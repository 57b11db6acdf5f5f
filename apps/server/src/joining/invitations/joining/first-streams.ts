import { Role, type StreamId } from '@oxbow/contract'
import { getOrganization } from '../../../organization/queries.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { StreamRow } from '../../../platform/database/tables.ts'
import { canAccess, toViewer } from '../../../streams/access.ts'
import {
  type GroupWithStreams,
  listDefaultGroups,
  listDefaultStreams,
} from '../../../streams/defaults/queries.ts'
import { listStreamsById } from '../../../streams/queries.ts'
import { listInitialStreams } from '../access.ts'
import { getInviter, listStreamsOfInvitation, type Ticket } from './queries.ts'

/**
 * Lists the streams that a new user is subscribed to: those of the invitation, or the default
 * streams if none of them is left, and those of the chosen groups. Guests get only streams that
 * somebody admitted them to: they get the default streams only if the invitation named no streams,
 * and cannot choose groups.
 */
export async function listFirstStreams(
  db: Db,
  ticket: Ticket,
  chosenGroups: ReadonlySet<number>,
): Promise<StreamRow[]> {
  const named = await listNamedStreams(db, ticket)
  const open = await listOpenStreams(db, ticket, named)
  const usesDefaults = (ticket.role === Role.guest ? named : open).length === 0
  const first = usesDefaults ? await listDefaultStreams(db, ticket.organization_id) : open
  const groups = chosenGroups.size > 0 ? await listGroupsToChoose(db, ticket) : []
  const chosen = groups.filter(({ id }) => chosenGroups.has(id)).flatMap(({ streams }) => streams)
  return [...new Map([...first, ...chosen].map((stream) => [stream.id, stream])).values()]
}

async function listNamedStreams(db: Db, { organization_id, invitation_id }: Ticket): Promise<StreamId[]> {
  return invitation_id === null ? [] : listStreamsOfInvitation(db, organization_id, invitation_id)
}

/**
 * Filters the streams of an invitation to those that the inviter can still access and subscribe
 * others to. Streams and policies may have changed since the invitation.
 */
async function listOpenStreams(
  db: Db,
  { organization_id, invited_by }: Ticket,
  named: readonly StreamId[],
): Promise<readonly StreamRow[]> {
  if (invited_by === null) return []
  const inviter = await getInviter(db, organization_id, invited_by)
  const streams = await listStreamsById(db, { organization_id, user_id: invited_by }, named)
  const open = streams.filter((stream) => canAccess(stream, toViewer(inviter, stream)))
  const organization = await getOrganization(db, organization_id)
  return listInitialStreams(db, organization, inviter, open)
}

/**
 * Lists the groups of default streams that a new user can choose. Guests cannot see the lists of
 * default streams.
 */
export async function listGroupsToChoose(
  db: Db,
  { organization_id, role }: Ticket,
): Promise<GroupWithStreams[]> {
  if (role === Role.guest) return []
  const groups = await listDefaultGroups(db, organization_id)
  return groups.filter(({ streams }) => streams.length > 0)
}
