import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { lockSettings } from '../../identity/lock-settings.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { type Device, deleteDevice, deleteOldDevices, upsertDevice } from './queries.ts'

/**
 * Maximum number of devices per account; the oldest ones are deleted. The limit is needed because
 * clients that get a new token do not remove the old one.
 */
const maxDevices = 100

const maxTokenCharacters = 4_096

function checkAndroidToken(token: string): void {
  if (token === '' || token.length > maxTokenCharacters) throw new ApiError('DEVICE_TOKEN_LENGTH')
}

/** Checks an Apple token, which is base64. */
function checkAppleToken(token: string): void {
  checkAndroidToken(token)
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(token))
    throw new ApiError('APPLE_TOKEN_INVALID')
}

export async function addAppleDevice(
  app: App,
  actor: Actor,
  { token, appid }: ParamsOf<typeof api.devices.addApple>,
): Promise<object> {
  checkAppleToken(token)
  return addDevice(app, actor, { kind: 'apple', token }, appid ?? null)
}

export async function addAndroidDevice(
  app: App,
  actor: Actor,
  { token }: ParamsOf<typeof api.devices.addAndroid>,
): Promise<object> {
  checkAndroidToken(token)
  return addDevice(app, actor, { kind: 'android', token }, null)
}

export async function removeAppleDevice(
  app: App,
  actor: Actor,
  { token }: ParamsOf<typeof api.devices.removeApple>,
): Promise<object> {
  checkAppleToken(token)
  return removeDevice(app, actor, { kind: 'apple', token })
}

export async function removeAndroidDevice(
  app: App,
  actor: Actor,
  { token }: ParamsOf<typeof api.devices.removeAndroid>,
): Promise<object> {
  checkAndroidToken(token)
  return removeDevice(app, actor, { kind: 'android', token })
}

async function addDevice(app: App, actor: Actor, device: Device, app_id: string | null): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    await lockSettings(tx, actor)
    await upsertDevice(tx, actor, device, app_id)
    await deleteOldDevices(tx, actor, maxDevices)
    return {}
  })
}

async function removeDevice(app: App, actor: Actor, device: Device): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    if (!(await deleteDevice(tx, actor, device))) throw new ApiError('DEVICE_TOKEN_UNKNOWN')
    return {}
  })
}
