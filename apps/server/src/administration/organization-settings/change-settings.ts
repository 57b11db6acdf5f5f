import type { api, ResponseOf, StreamId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { emitSightOfGuests } from '../../identity/accounts/emit-sight.ts'
import { recheckActor, writeAs } from '../../identity/write-as.ts'
import { noticeStreamSettings } from '../../organization/notification-streams.ts'
import { lockOrganization, updateOrganization } from '../../organization/queries.ts'
import { emitFullMembers } from '../../organization/user-groups/system-groups.ts'
import { emitEmailVisibility } from '../../people/users/emit-email-visibility.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockStreamsShared } from '../../platform/database/locks.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { accessStream } from '../../streams/access.ts'
import { listStreamsById } from '../../streams/queries.ts'
import { listPropertyChanges, type PropertyChange, settingsChanged } from './events.ts'
import { checkParams, isNoStream, listChanges, type Params } from './list-changes.ts'

type UpdateResponse = ResponseOf<typeof api.organization.update>

/** Checks all parameters, then changes the settings of the organization. */
export async function changeSettings(app: App, actor: Actor, params: Params): Promise<UpdateResponse> {
  checkParams(actor, params)
  // Sends, edits and all other writes hold the shared role lock. With the exclusive lock, each of
  // them runs completely before or completely after this change, whichever settings it depends on.
  return writeAs(app, actor, (tx) => applySettings(app, tx, actor, params), { roles: 'exclusive' })
}

async function applySettings(app: App, tx: Tx, actor: Actor, params: Params): Promise<UpdateResponse> {
  const { organization_id } = actor
  const noticeStreams = listNoticeStreams(params)
  const existing = await listStreamsById(tx, actor, noticeStreams)
  // Streams are locked before the organization's row, in the same order as when a stream is
  // archived.
  await lockStreamsShared(
    tx,
    existing.map(({ id }) => id),
  )
  const before = await lockOrganization(tx, organization_id)
  await recheckActor(tx, actor)
  const changes = listChanges(app, before, params)
  for (const id of noticeStreams) if (isNewStream(before, params, id)) await accessStream(tx, actor, id)
  const after = { ...before, ...changes } as OrganizationRow
  if (Object.keys(changes).length > 0) await updateOrganization(tx, organization_id, changes)

  const propertyChanges = listPropertyChanges(app.config, after, changes, actor.role)
  for (const propertyChange of propertyChanges) emit(tx, settingsChanged(organization_id, propertyChange))
  await emitEmailVisibility(app, tx, before, after.email_address_visibility)
  if (before.guests_see_only_shared_people !== after.guests_see_only_shared_people)
    await emitSightOfGuests(tx, organization_id)
  await emitFullMembers(tx, organization_id, before.waiting_period_threshold, after.waiting_period_threshold)
  return buildResponse(params, after, propertyChanges)
}

function listNoticeStreams(params: Params): StreamId[] {
  return noticeStreamSettings.flatMap((name) => {
    const id = params[name]
    return id === undefined || isNoStream(id) ? [] : [id]
  })
}

/**
 * Returns whether the request sets another stream than the current one. The current stream is
 * accepted even if the actor cannot see it.
 */
const isNewStream = (before: OrganizationRow, params: Params, id: StreamId): boolean =>
  noticeStreamSettings.some((name) => params[name] === id && before[name] !== id)

function buildResponse(
  params: Params,
  after: OrganizationRow,
  changes: readonly PropertyChange[],
): UpdateResponse {
  const values = Object.assign({}, ...changes.map((change) => change.values)) as Record<string, unknown>
  const fields = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? 'updated' : value,
  ])
  const { default_code_block_language } = after
  return {
    ...Object.fromEntries(fields),
    // This setting is returned even if it is unchanged.
    ...(params.default_code_block_language !== undefined && { default_code_block_language }),
  }
}
