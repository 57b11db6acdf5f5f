import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { bytesPerMebibyte } from '../kernel/files.ts'
import { json } from '../kernel/params.ts'
import { organizationGroups } from './shape.ts'

const files = { maxFiles: 1, maxBytes: 5 * bytesPerMebibyte }
const night = json(z.boolean(), 'Whether the logo is the one for dark backgrounds.')
const iconUrl = { icon_url: organizationGroups.icon.icon_url }

export const setIcon = endpoint({
  summary: "Upload the organization's icon.",
  description:
    'The picture is a PNG, JPEG, GIF or WebP of up to 25 megapixels. It is cropped to a square and scaled to 100 pixels.',
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
  summary: "Replace the organization's icon by the default.",
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
    'The picture is a PNG, JPEG, GIF or WebP of up to 25 megapixels. It is scaled down to at most 800 by 100 pixels and keeps its proportions.',
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
  summary: "Replace the organization's logo by the default.",
  method: 'DELETE',
  path: '/api/v1/realm/logo',
  auth: 'user',
  only: ['administrators'],
  params: { night },
  response: {},
  errors: [],
})
