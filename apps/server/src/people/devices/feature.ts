import type { api } from '@oxbow/contract'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { addAndroidDevice, addAppleDevice, removeAndroidDevice, removeAppleDevice } from './change-devices.ts'

const deviceRoutes: Routes<typeof api.devices> = {
  addApple: addAppleDevice,
  removeApple: removeAppleDevice,
  addAndroid: addAndroidDevice,
  removeAndroid: removeAndroidDevice,
}

/** Registered push devices. */
export const devicesFeature = {
  routes: { devices: deviceRoutes },
} satisfies Feature
