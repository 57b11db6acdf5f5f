import { z } from 'zod'
import { uploadId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field } from '../kernel/field.ts'
import { path, restPath, text, textPath } from '../kernel/params.ts'
import { attachment } from './shape.ts'

const organizationPart = 'The id of the organization, as in the `uri` of the upload.'
const filePart = 'The rest of the `uri`.'

export const upload = endpoint({
  summary: 'Upload a file.',
  description:
    'The file can be read by its owner, and by everyone who may see a message with a link to it. A file that no message refers to is removed after a week.',
  method: 'POST',
  path: '/api/v1/user_uploads',
  auth: 'user',
  params: {
    mimetype: text(
      z.string().optional(),
      'The type of the file. Its usual extension is appended to the name of the file.',
    ),
  },
  files: { streamed: true, maxFiles: 1 },
  response: {
    uri: field(
      z.string(),
      'The path of the file on this server. A message refers to the file by a link to it: `[name](uri)`.',
    ),
  },
  errors: ['NO_FILE', 'ONE_FILE_AT_A_TIME', 'UPLOAD_QUOTA_EXCEEDED'],
})

const temporaryLink = {
  summary: 'Get a temporary link to an upload.',
  description: 'Everyone who has the link can read the file for 60 seconds, without credentials.',
  method: 'GET',
  auth: 'user',
  takesKeyInUrl: true,
  response: { url: field(z.string(), 'The path of the temporary link on this server.') },
  errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_FORBIDDEN'],
} as const

export const getTemporaryLink = endpoint({
  ...temporaryLink,
  path: '/api/v1/user_uploads/{realm_id_str}/{filename}',
  params: { realm_id_str: textPath(z.string(), organizationPart), filename: restPath(z.string(), filePart) },
})

export const findTemporaryLink = endpoint({
  ...temporaryLink,
  path: '/api/v1/user_uploads',
  params: { realm_id_str: text(z.string(), organizationPart), filename: text(z.string(), filePart) },
})

export const list = endpoint({
  summary: 'List your uploads.',
  method: 'GET',
  path: '/api/v1/attachments',
  auth: 'user',
  params: {},
  response: {
    attachments: field(z.array(attachment), 'The uploads of this account, ordered by id.'),
    upload_space_used: field(z.int(), 'The total size of all uploads of the organization, in bytes.'),
  },
  errors: [],
})

export const remove = endpoint({
  summary: 'Delete one of your uploads.',
  description: 'Messages keep their links to the file, which no longer work.',
  method: 'DELETE',
  path: '/api/v1/attachments/{attachment_id}',
  auth: 'user',
  params: { attachment_id: path(uploadId, 'The id of the upload.') },
  response: {},
  errors: ['INVALID_ATTACHMENT'],
})
