import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { bytesPerMebibyte } from '../kernel/files.ts'
import { json } from '../kernel/params.ts'

const files = { most: 1, maxBytes: 5 * bytesPerMebibyte }
const night = json(z.boolean())
const iconUrl = { icon_url: z.string() }

export const setIcon = endpoint({
  summary: "Upload the organization's icon.",
  description: 'PNG, JPEG, GIF or WebP of up to 25 megapixels. It is cut to a square of 100 pixels.',
  method: 'POST',
  path: '/api/v1/realm/icon',
  auth: 'user',
  only: ['administrators'],
  params: {},
  files,
  response: iconUrl,
  errors: ['ICON_COUNT', 'BAD_IMAGE', 'IMAGE_TOO_LARGE'],
})

export const clearIcon = endpoint({
  summary: 'Go back to the icon of organizations that uploaded none.',
  method: 'DELETE',
  path: '/api/v1/realm/icon',
  auth: 'user',
  only: ['administrators'],
  params: {},
  response: iconUrl,
  errors: [],
})

export const setLogo = endpoint({
  summary: "Upload the organization's logo.",
  description:
    'PNG, JPEG, GIF or WebP of up to 25 megapixels. It keeps its shape, and is made smaller if it is wider than 800 or higher than 100 pixels.',
  method: 'POST',
  path: '/api/v1/realm/logo',
  auth: 'user',
  only: ['administrators'],
  params: { night },
  files,
  response: {},
  errors: ['LOGO_COUNT', 'BAD_IMAGE', 'IMAGE_TOO_LARGE'],
})

export const clearLogo = endpoint({
  summary: 'Go back to the logo of organizations that uploaded none.',
  method: 'DELETE',
  path: '/api/v1/realm/logo',
  auth: 'user',
  only: ['administrators'],
  params: { night },
  response: {},
  errors: [],
})
