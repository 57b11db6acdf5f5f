import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { addAndroidDevice, addAppleDevice, removeAndroidDevice, removeAppleDevice } from './change-devices.ts'

export const deviceRoutes: Routes<typeof api.devices> = {
  addApple: addAppleDevice,
  removeApple: removeAppleDevice,
  addAndroid: addAndroidDevice,
  removeAndroid: removeAndroidDevice,
}
