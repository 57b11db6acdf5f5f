import {
  ApiError,
  type api,
  isAdministrator,
  type ParamsOf,
  type ResponseOf,
  type Role,
  type UserId,
} from '@oxbow/contract'
import { type Decision, decide, type Verdict } from '@oxbow/reach'
import { accessMessage } from '../messages/access.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { buildInput } from './build-input.ts'
import { findRole, readReach } from './queries.ts'

type Explain = typeof api.notifications.explain

/** Explains whether a message notifies a user, by making the decision with the settings of now. */
export async function explainNotifications(
  { db }: App,
  actor: Actor,
  { message_id, user_id = actor.user_id }: ParamsOf<Explain>,
): Promise<ResponseOf<Explain>> {
  const isOwn = user_id === actor.user_id
  if (!isOwn && !isAdministrator(actor.role)) throw new ApiError('INSUFFICIENT_PERMISSION')
  const message = await accessMessage(db, actor, message_id)
  const role = isOwn ? actor.role : await requireRole(db, actor, user_id)
  const row = await readReach(db, { organization_id: actor.organization_id, user_id, role }, message.id)
  if (!row) throw new ApiError('INVALID_MESSAGE')
  return viewDecision(decide(buildInput(user_id, row)), isOwn)
}

async function requireRole(db: App['db'], actor: Actor, id: UserId): Promise<Role> {
  const role = await findRole(db, actor, id)
  if (role === undefined) throw new ApiError('NO_SUCH_USER')
  return role
}

function viewDecision(decision: Decision, isOwn: boolean): ResponseOf<Explain> {
  const view = ({ outcome, rule }: Verdict) => ({
    outcome: outcome === 'never' ? ('not' as const) : ('told' as const),
    // Nobody else learns whom a person muted. The messages count as read, which is what others are told.
    rule: rule === 'S7' && !isOwn ? 'S5' : rule,
  })
  const channels = (['screen', 'sound', 'push', 'mail'] as const).map((channel) => ({
    channel,
    ...view(decision[channel]),
  }))
  return { reasons: [...decision.reasons], channels, basis: 'computed' }
}
