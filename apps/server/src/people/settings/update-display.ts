import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { emitAbout } from '../../identity/accounts/emit-about.ts'
import { lockSettings } from '../../identity/lock-settings.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { isTimezone } from '../../platform/timezones.ts'
import { timezoneChanged } from '../users/events.ts'
import { updateUserRow } from '../users/queries.ts'
import { getSettingsOwner } from './access.ts'
import { displaySettingChanged } from './events.ts'
import { pickChanged } from './pick-changed.ts'
import { getDisplaySettings, updateUserSettings } from './queries.ts'

type Update = typeof api.settings.updateDisplay

export async function updateDisplay(
  app: App,
  actor: Actor,
  params: ParamsOf<Update>,
): Promise<ResponseOf<Update>> {
  if (params.timezone !== undefined && !isTimezone(params.timezone)) throw new ApiError('TIMEZONE_INVALID')
  return writeAs(app, actor, (tx) => changeDisplay(app, tx, actor, params))
}

/** Applies checked display settings, and returns those that changed. */
export async function changeDisplay(
  app: App,
  tx: Tx,
  actor: Actor,
  params: Partial<ParamsOf<Update>>,
): Promise<ResponseOf<Update>> {
  await lockSettings(tx, actor)
  const changed = pickChanged(params, await getDisplaySettings(tx, actor))
  const { timezone, ...settings } = changed
  await updateUserSettings(tx, actor, settings)
  const owner = await getSettingsOwner(app, tx, actor)
  for (const [name, value] of Object.entries(changed))
    emit(tx, displaySettingChanged(owner, name as keyof typeof changed, value))
  if (timezone !== undefined) {
    await updateUserRow(tx, actor.organization_id, actor.user_id, { timezone })
    // The time zone is part of the user's profile, so everyone gets an event.
    await emitAbout(tx, owner, [timezoneChanged(owner, timezone)])
  }
  return changed
}
