import { z } from 'zod'
import { streamFolderId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field } from '../kernel/field.ts'
import { json, path, text } from '../kernel/params.ts'
import { maxCharacters, maxItems } from '../kernel/schemas.ts'
import {
  maxStreamFolderDescriptionLength,
  maxStreamFolderNameLength,
  maxStreamFolders,
  streamFolder,
} from './shape.ts'

const name = maxCharacters(maxStreamFolderNameLength)
const description = maxCharacters(maxStreamFolderDescriptionLength)
const aboutName = `The name of the folder, of up to ${maxStreamFolderNameLength} characters. Names of folders that are not archived differ in more than case.`
const aboutDescription = `The description of the folder, in Markdown, of up to ${maxStreamFolderDescriptionLength} characters.`

export const list = endpoint({
  summary: 'List the folders of streams of the organization.',
  description:
    'Everyone in the organization sees the names of its folders. This endpoint is from a later feature level.',
  method: 'GET',
  path: '/api/v1/channel_folders',
  auth: 'user',
  params: {
    include_archived: json(z.boolean().default(false), 'Whether to include archived folders.'),
  },
  response: { channel_folders: field(z.array(streamFolder), 'The folders in their order.') },
  errors: [],
})

export const create = endpoint({
  summary: 'Create a folder of streams. It becomes the last one.',
  description: 'This endpoint is from a later feature level.',
  method: 'POST',
  path: '/api/v1/channel_folders/create',
  auth: 'user',
  only: ['administrators'],
  params: {
    name: text(name, aboutName),
    description: text(description.default(''), `${aboutDescription} Empty if absent.`),
  },
  response: { channel_folder_id: field(streamFolderId, 'The id of the new folder.') },
  errors: ['STREAM_FOLDER_NAME_EMPTY', 'STREAM_FOLDER_EXISTS', 'TOO_MANY_STREAM_FOLDERS'],
})

export const reorder = endpoint({
  summary: 'Change the order of the folders of streams.',
  description: 'This endpoint is from a later feature level.',
  method: 'PATCH',
  path: '/api/v1/channel_folders',
  auth: 'user',
  only: ['administrators'],
  params: {
    order: json(
      maxItems(streamFolderId, maxStreamFolders),
      'The ids of all folders of the organization, archived ones included, each once, in the new order.',
    ),
  },
  response: {},
  errors: ['STREAM_FOLDER_ORDER_INVALID'],
})

export const update = endpoint({
  summary: 'Rename, describe, archive or restore a folder of streams.',
  description:
    'Either all changes are made or none. Folders are never deleted. This endpoint is from a later feature level.',
  method: 'PATCH',
  path: '/api/v1/channel_folders/{channel_folder_id}',
  auth: 'user',
  only: ['administrators'],
  params: {
    channel_folder_id: path(streamFolderId, texts.streamFolderId),
    name: text(name.optional(), `${aboutName} Unchanged if absent.`),
    description: text(description.optional(), `${aboutDescription} Unchanged if absent.`),
    is_archived: json(
      z.boolean().optional(),
      'Whether the folder is archived. A folder with streams cannot be archived. Unchanged if absent.',
    ),
  },
  response: {},
  errors: [
    'STREAM_FOLDER_INVALID',
    'STREAM_FOLDER_NAME_EMPTY',
    'STREAM_FOLDER_EXISTS',
    'STREAM_FOLDER_HAS_STREAMS',
  ],
})
