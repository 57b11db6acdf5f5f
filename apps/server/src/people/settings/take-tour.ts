import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { lockSettings } from '../../identity/lock-settings.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { hotspotsChanged } from './events.ts'
import { isHotspot, listNextHotspots } from './hotspots.ts'
import { getTour, type Tour, updateUserSettings } from './queries.ts'

export async function dismissHotspot(
  app: App,
  actor: Actor,
  { hotspot }: ParamsOf<typeof api.settings.dismissHotspot>,
): Promise<object> {
  if (!isHotspot(hotspot)) throw new ApiError('HOTSPOT_UNKNOWN', { hotspot })
  return updateTour(app, actor, (tour) => ({
    ...tour,
    seen_hotspots: [...new Set([...tour.seen_hotspots, hotspot])],
  }))
}

export async function setTutorialStatus(
  app: App,
  actor: Actor,
  { status }: ParamsOf<typeof api.settings.setTutorialStatus>,
): Promise<object> {
  if (status !== 'started' && status !== 'finished') return {}
  return updateTour(app, actor, (tour) => ({ ...tour, tutorial_status: status }))
}

/** Updates the tour, and emits an event if the next hotspot changes. */
async function updateTour(app: App, actor: Actor, change: (tour: Tour) => Tour): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    await lockSettings(tx, actor)
    const before = await getTour(tx, actor)
    const after = change(before)
    await updateUserSettings(tx, actor, after)
    const next = listNextHotspots(after)
    const { organization_id, user_id: id } = actor
    if (next[0]?.name !== listNextHotspots(before)[0]?.name)
      emit(tx, hotspotsChanged({ organization_id, id }, next))
    return {}
  })
}
