import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { emitAbout } from '../../identity/accounts/emit-about.ts'
import { lockSettings } from '../../identity/lock-settings.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { deleteStatuses, findStatus, noStatus, type Status, upsertStatus } from './queries.ts'

/**
 * Changes the given parts of the status and keeps the others: setting a text, for example, does not
 * change whether the user is away.
 */
export async function setStatus(
  app: App,
  actor: Actor,
  params: ParamsOf<typeof api.userStatus.set>,
): Promise<object> {
  const { organization_id, user_id } = actor
  const { away } = params
  const status_text = params.status_text?.trim()
  if (away === undefined && status_text === undefined) throw new ApiError('STATUS_NOT_GIVEN')
  return writeAs(app, actor, async (tx) => {
    await lockSettings(tx, actor)
    const before = (await findStatus(tx, actor)) ?? noStatus
    const now = { is_away: away ?? before.is_away, status_text: status_text ?? before.status_text }
    if (isSame(before, now)) return {}
    await saveStatus(tx, actor, now)
    const changed = { ...(away !== undefined && { away }), ...(status_text !== undefined && { status_text }) }
    const event = { type: 'user_status', user_id, ...changed }
    await emitAbout(tx, { organization_id, id: user_id }, [
      { organization_id, event, to: { roles: 'everyone' } },
    ])
    return {}
  })
}

const isSame = (a: Status, b: Status): boolean => a.is_away === b.is_away && a.status_text === b.status_text

async function saveStatus(tx: Tx, actor: Actor, status: Status): Promise<void> {
  if (isSame(status, noStatus)) await deleteStatuses(tx, actor.organization_id, [actor.user_id])
  else await upsertStatus(tx, actor, status)
}
