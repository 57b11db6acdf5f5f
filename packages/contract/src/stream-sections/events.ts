import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { field } from '../kernel/field.ts'
import { streamSection } from './shape.ts'

export const streamSectionsEvent = eventSchema('stream_sections', {
  stream_sections: field(
    z.array(streamSection),
    'The sections of the list of streams of this account, after the change.',
  ),
})
export type StreamSectionsEvent = z.infer<typeof streamSectionsEvent>
