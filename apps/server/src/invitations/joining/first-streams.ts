import type { OrganizationId } from '@oxbow/contract'
import { getOrganization } from '../../organization/queries.ts'
import type { Db } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { canAccess, toViewer } from '../../streams/access.ts'
import { listDefaultGroups, listDefaultStreams } from '../../streams/defaults/queries.ts'
import { listStreamsById } from '../../streams/queries.ts'
import { listInitialStreams } from '../access.ts'
import { getInviter, listStreamsOfInvitation, type Ticket } from './queries.ts'

/**
 * Lists the streams that a new user is subscribed to: those of the invitation, or the default
 * streams if it names none, and those of the chosen groups.
 */
export async function listFirstStreams(
  db: Db,
  ticket: Ticket,
  chosenGroups: ReadonlySet<number>,
): Promise<StreamRow[]> {
  const { organization_id } = ticket
  const namedStreams = await listNamedStreams(db, ticket)
  const first = namedStreams.length > 0 ? namedStreams : await listDefaultStreams(db, organization_id)
  const groups = chosenGroups.size > 0 ? await listDefaultGroups(db, organization_id) : []
  const chosen = groups.filter(({ id }) => chosenGroups.has(id)).flatMap(({ streams }) => streams)
  return [...new Map([...first, ...chosen].map((stream) => [stream.id, stream])).values()]
}

/**
 * Lists the streams of the invitation that the inviter can still access and subscribe others to.
 * Streams and policies may have changed since the invitation.
 */
async function listNamedStreams(
  db: Db,
  { organization_id, invitation_id, invited_by }: Ticket,
): Promise<StreamRow[]> {
  if (invitation_id === null || invited_by === null) return []
  const ids = await listStreamsOfInvitation(db, organization_id, invitation_id)
  const inviter = await getInviter(db, organization_id, invited_by)
  const streams = await listStreamsById(db, { organization_id, user_id: invited_by }, ids)
  const open = streams.filter((stream) => canAccess(stream, toViewer(inviter, stream)))
  const organization = await getOrganization(db, organization_id)
  return [...(await listInitialStreams(db, organization, inviter, open))]
}

/** Lists the groups of default streams that a new user can choose. */
export async function listGroupsToChoose(
  db: Db,
  organization_id: OrganizationId,
): Promise<{ id: number; name: string; description: string }[]> {
  const groups = await listDefaultGroups(db, organization_id)
  return groups.filter(({ streams }) => streams.length > 0)
}
