import { z } from 'zod'
import { uploadId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { path, restPath, text, textPath } from '../kernel/params.ts'
import { attachment } from './shape.ts'

export const upload = endpoint({
  summary: 'Upload a file.',
  description:
    'The file can be read by its owner, and by everyone who may see a message with a link to it. A file that no message refers to is removed after a week.',
  method: 'POST',
  path: '/api/v1/user_uploads',
  auth: 'user',
  params: { mimetype: text(z.string().optional()) },
  files: { streamed: true, maxFiles: 1 },
  response: { uri: z.string() },
  errors: ['NO_FILE', 'ONE_FILE_AT_A_TIME', 'UPLOAD_QUOTA_EXCEEDED'],
})

const temporaryLink = {
  summary: 'Get a temporary link to an upload.',
  description: 'Everyone who has the link can read the file for 60 seconds, without credentials.',
  method: 'GET',
  auth: 'user',
  takesKeyInUrl: true,
  response: { url: z.string() },
  errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_FORBIDDEN'],
} as const

export const getTemporaryLink = endpoint({
  ...temporaryLink,
  path: '/api/v1/user_uploads/{realm_id_str}/{filename}',
  params: { realm_id_str: textPath(z.string()), filename: restPath(z.string()) },
})

export const findTemporaryLink = endpoint({
  ...temporaryLink,
  path: '/api/v1/user_uploads',
  params: { realm_id_str: text(z.string()), filename: text(z.string()) },
})

export const list = endpoint({
  summary: 'List your uploads.',
  method: 'GET',
  path: '/api/v1/attachments',
  auth: 'user',
  params: {},
  response: { attachments: z.array(attachment), upload_space_used: z.int() },
  errors: [],
})

export const remove = endpoint({
  summary: 'Delete one of your uploads.',
  description: 'Messages keep their links to the file, which no longer work.',
  method: 'DELETE',
  path: '/api/v1/attachments/{attachment_id}',
  auth: 'user',
  params: { attachment_id: path(uploadId) },
  response: {},
  errors: ['INVALID_ATTACHMENT'],
})
