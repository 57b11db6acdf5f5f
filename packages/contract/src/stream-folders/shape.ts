import { z } from 'zod'
import { streamFolderId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object } from '../kernel/field.ts'

export const maxStreamFolderNameLength = 100
export const maxStreamFolderDescriptionLength = 1_024
/** Maximum number of folders of an organization, archived ones included. */
export const maxStreamFolders = 200

export const streamFolder = object({
  id: field(streamFolderId, texts.streamFolderId),
  name: field(z.string(), 'The name of the folder.'),
  description: field(z.string(), 'The description of the folder, in Markdown.'),
  rendered_description: field(z.string(), `The description as ${texts.renderedHtml}`),
  order: field(z.int(), 'The position of the folder among all folders: lower ones are shown first.'),
  is_archived: field(z.boolean(), 'Whether the folder is archived. An archived folder has no streams.'),
  date_created: field(z.int(), 'When the folder was created, in seconds since 1970-01-01 UTC.'),
  creator_id: field(userId.nullable(), 'The id of the user who created the folder. Null if it is unknown.'),
})
export type StreamFolder = z.infer<typeof streamFolder>
