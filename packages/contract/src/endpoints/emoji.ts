import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { bytesPerMebibyte } from '../kernel/files.ts'
import { textPath } from '../kernel/params.ts'
import { customEmojiById, maxEmojiMebibytes } from '../shapes/custom-emoji.ts'

const path = '/api/v1/realm/emoji/{emoji_name}'

export const list = endpoint({
  summary: 'The emoji that this organization made itself.',
  method: 'GET',
  path: '/api/v1/realm/emoji',
  auth: 'user',
  params: {},
  response: { emoji: customEmojiById },
  errors: [],
})

export const upload = endpoint({
  summary: 'Add an emoji.',
  description: 'The picture is made as small as an emoji; one that moves goes on moving.',
  method: 'POST',
  path,
  auth: 'user',
  only: ['not guests', 'people'],
  params: {
    emoji_name: textPath(z.string()),
  },
  files: { most: 1, maxBytes: maxEmojiMebibytes * bytesPerMebibyte },
  response: {},
  errors: [
    'EMOJI_NAME_MISSING',
    'EMOJI_NAME_INVALID',
    'MUST_BE_ADMINISTRATOR',
    'EMOJI_NAME_TAKEN',
    'TOO_MANY_EMOJI',
    'ONE_FILE_EXPECTED',
    'IMAGE_UPLOAD_FAILED',
  ],
})

export const deactivate = endpoint({
  summary: 'Take an emoji out of use.',
  description: 'Messages and reactions that have it keep it. Another one may be given its name.',
  method: 'DELETE',
  path,
  auth: 'user',
  params: { emoji_name: textPath(z.string()) },
  response: {},
  errors: ['EMOJI_DOES_NOT_EXIST', 'MUST_BE_ADMINISTRATOR', 'NOT_EMOJI_AUTHOR'],
})
