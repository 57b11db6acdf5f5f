import { endpoint } from '../kernel/endpoint.ts'
import { json } from '../kernel/params.ts'
import { maxItems } from '../kernel/schemas.ts'
import { maxStreamSections, streamSection } from './shape.ts'

export const set = endpoint({
  summary: "Arrange the caller's list of streams: own folders, and the order of sections and streams.",
  description:
    'The new arrangement replaces the old one. Ids of streams are not checked: a client skips those that it does not know. This endpoint is an extension of this server.',
  method: 'PUT',
  path: '/api/v1/users/me/stream_sections',
  auth: 'user',
  only: ['people'],
  params: {
    stream_sections: json(
      maxItems(streamSection, maxStreamSections),
      'The sections in their order. Each section may be listed once, and each stream once in a section and in one own folder. Sections that are not listed are shown at their usual places.',
    ),
  },
  response: {},
  errors: [
    'STREAM_SECTION_TWICE',
    'STREAM_ARRANGED_TWICE',
    'TOO_MANY_ARRANGED_STREAMS',
    'STREAM_FOLDER_INVALID',
  ],
})
