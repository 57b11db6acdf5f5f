import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { filterSeen } from '../../identity/accounts/sight.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { type InPieces, JsonText } from '../../platform/pieces.ts'
import { accessStream, accessStreamMembers } from '../access.ts'
import { findStreamById } from '../queries.ts'
import { findPerson, listMembers } from './queries.ts'

type Members = typeof api.streams.members
type Status = typeof api.subscriptions.status

export async function listStreamMembers(
  app: App,
  actor: Actor,
  { stream_id }: ParamsOf<Members>,
): Promise<InPieces<ResponseOf<Members>>> {
  const { organization_id, id } = await accessStreamMembers(app.db, actor, stream_id)
  const members = await listMembers(app.db, organization_id, [id])
  return { subscribers: new JsonText([members.get(id) ?? '[]']) }
}

export async function getSubscriptionStatus(
  app: App,
  actor: Actor,
  { user_id, stream_id }: ParamsOf<Status>,
): Promise<ResponseOf<Status>> {
  const { organization_id } = actor
  const isSeen = (await filterSeen(app.db, actor, [user_id])).has(user_id)
  const person = isSeen ? await findPerson(app.db, { organization_id, user_id }) : undefined
  if (!person) throw new ApiError('NO_SUCH_USER')
  if (!person.is_active) throw new ApiError('USER_IS_DEACTIVATED')
  const { id } = await accessStream(app.db, actor, stream_id)
  const stream = await findStreamById(app.db, { organization_id, user_id }, id)
  return { is_subscribed: stream?.membership === 'in' }
}
