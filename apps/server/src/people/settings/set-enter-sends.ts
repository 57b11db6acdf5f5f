import type { api, ParamsOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { lockSettings } from '../../identity/lock-settings.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { getSettingsOwner } from './access.ts'
import { displaySettingChanged } from './events.ts'
import { getEnterSends, updateUserSettings } from './queries.ts'

/** Saves whether Enter sends a message, and emits it to the user's clients as a display setting. */
export async function setEnterSends(
  app: App,
  actor: Actor,
  { enter_sends }: ParamsOf<typeof api.settings.setEnterSends>,
): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    await lockSettings(tx, actor)
    if ((await getEnterSends(tx, actor)) === enter_sends) return {}
    await updateUserSettings(tx, actor, { enter_sends })
    emit(tx, displaySettingChanged(await getSettingsOwner(app, tx, actor), 'enter_sends', enter_sends))
    return {}
  })
}
