import {
  ApiError,
  type api,
  type NotificationSettings,
  notificationSounds,
  type ParamsOf,
  type ResponseOf,
} from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { lockSettings } from '../../identity/lock-settings.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import {
  emitInheritedChanges,
  lockBeforeInheritedChange,
} from '../../streams/subscriptions/emit-inherited-changes.ts'
import { getSettingsOwner } from './access.ts'
import { notificationSettingChanged } from './events.ts'
import { pickChanged } from './pick-changed.ts'
import { getNotificationSettings, updateUserSettings } from './queries.ts'

type Update = typeof api.settings.updateNotifications
type Params = ParamsOf<Update>

export async function updateNotifications(
  app: App,
  actor: Actor,
  params: Params,
): Promise<ResponseOf<Update>> {
  const { notification_sound: sound } = params
  if (sound !== undefined && !(notificationSounds as readonly string[]).includes(sound))
    throw new ApiError('NOTIFICATION_SOUND_INVALID', { sound })
  return writeAs(app, actor, async (tx) => {
    const canAffectStreams = Object.values(pickInherited(params)).some((value) => value !== undefined)
    if (canAffectStreams) await lockBeforeInheritedChange(tx, actor)
    else await lockSettings(tx, actor)
    const changed = pickChanged(params, await getNotificationSettings(tx, actor))
    await updateUserSettings(tx, actor, changed)
    const owner = await getSettingsOwner(app, tx, actor)
    for (const [name, value] of Object.entries(changed))
      emit(tx, notificationSettingChanged(owner, name as keyof typeof changed, value))
    await emitInheritedChanges(tx, { ...actor, email: owner.email }, pickInherited(changed))
    return changed
  })
}

type NotificationParams = {
  readonly [Name in keyof NotificationSettings]?: NotificationSettings[Name] | undefined
}

/** Picks the settings that streams inherit, under the names used for streams. */
const pickInherited = (settings: NotificationParams) => ({
  desktop_notifications: settings.enable_stream_desktop_notifications,
  audible_notifications: settings.enable_stream_audible_notifications,
  push_notifications: settings.enable_stream_push_notifications,
  email_notifications: settings.enable_stream_email_notifications,
  wildcard_mentions_notify: settings.wildcard_mentions_notify,
})
