import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { text } from '../kernel/params.ts'
import { maxCharacters } from '../kernel/schemas.ts'

const aboutToken = 'The token by which the push service of the manufacturer identifies the device.'

const apple = '/api/v1/users/me/apns_device_token'
const android = '/api/v1/users/me/android_gcm_reg_id'
const token = text(z.string(), aboutToken)
const tokenErrors = ['DEVICE_TOKEN_LENGTH'] as const satisfies ErrorName[]

export const addApple = endpoint({
  summary: 'Register an Apple device for push notifications.',
  description: 'Within an organization, a device belongs to the account that registered it last.',
  method: 'POST',
  path: apple,
  auth: 'user',
  only: ['people'],
  params: {
    token,
    appid: text(maxCharacters(255).optional(), 'The id of the app that registers, of up to 255 characters.'),
  },
  response: {},
  errors: [...tokenErrors, 'APPLE_TOKEN_INVALID'],
})

export const removeApple = endpoint({
  summary: 'Unregister an Apple device.',
  method: 'DELETE',
  path: apple,
  auth: 'user',
  only: ['people'],
  params: { token },
  response: {},
  errors: [...tokenErrors, 'APPLE_TOKEN_INVALID', 'DEVICE_TOKEN_UNKNOWN'],
})

export const addAndroid = endpoint({
  summary: 'Register an Android device for push notifications.',
  description: 'Within an organization, a device belongs to the account that registered it last.',
  method: 'POST',
  path: android,
  auth: 'user',
  only: ['people'],
  params: { token },
  response: {},
  errors: [...tokenErrors],
})

export const removeAndroid = endpoint({
  summary: 'Unregister an Android device.',
  method: 'DELETE',
  path: android,
  auth: 'user',
  only: ['people'],
  params: { token },
  response: {},
  errors: [...tokenErrors, 'DEVICE_TOKEN_UNKNOWN'],
})
