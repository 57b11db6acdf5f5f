import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { bytesPerMebibyte } from '../kernel/files.ts'
import { textPath } from '../kernel/params.ts'
import { customEmojiById, maxEmojiMebibytes } from './shape.ts'

const emojiName = 'The name: lower-case letters, digits, `.`, `-` and `_`. It ends with a letter or a digit.'

const path = '/api/v1/realm/emoji/{emoji_name}'

export const list = endpoint({
  summary: 'List the custom emoji of the organization.',
  method: 'GET',
  path: '/api/v1/realm/emoji',
  auth: 'user',
  params: {},
  response: { emoji: customEmojiById },
  errors: [],
})

export const upload = endpoint({
  summary: 'Add a custom emoji.',
  description: 'The picture is scaled down to the size of an emoji. Animated pictures stay animated.',
  method: 'POST',
  path,
  auth: 'user',
  only: ['not guests', 'people'],
  params: {
    emoji_name: textPath(z.string(), emojiName),
  },
  files: { maxFiles: 1, maxBytes: maxEmojiMebibytes * bytesPerMebibyte },
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
  summary: 'Deactivate a custom emoji.',
  description: 'Messages and reactions that use the emoji keep it. Its name can be given to another emoji.',
  method: 'DELETE',
  path,
  auth: 'user',
  params: { emoji_name: textPath(z.string(), 'The name of the custom emoji.') },
  response: {},
  errors: ['EMOJI_DOES_NOT_EXIST', 'MUST_BE_ADMINISTRATOR', 'NOT_EMOJI_AUTHOR'],
})
