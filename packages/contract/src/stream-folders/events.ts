import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { streamFolderId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object, optionalFields } from '../kernel/field.ts'
import { streamFolder } from './shape.ts'

const { name, description, rendered_description, is_archived } = streamFolder.shape

export const streamFolderEvent = z.discriminatedUnion('op', [
  eventSchema('channel_folder', {
    op: field(z.literal('add'), 'A folder of streams was created.'),
    channel_folder: field(streamFolder, 'The folder.'),
  }),
  eventSchema('channel_folder', {
    op: field(z.literal('update'), 'A folder of streams was renamed, described, archived or restored.'),
    channel_folder_id: field(streamFolderId, texts.streamFolderId),
    data: field(
      object(
        optionalFields(
          { name, description, rendered_description, is_archived },
          'Absent if it did not change.',
        ),
      ),
      'The changed fields with their new values.',
    ),
  }),
  eventSchema('channel_folder', {
    op: field(z.literal('reorder'), 'The order of the folders changed.'),
    order: field(z.array(streamFolderId), 'The ids of all folders in their order.'),
  }),
])
export type StreamFolderEvent = z.infer<typeof streamFolderEvent>
