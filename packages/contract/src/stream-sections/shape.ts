import { z } from 'zod'
import { streamFolderId, streamId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object } from '../kernel/field.ts'
import { maxCharacters, maxItems, nonBlank } from '../kernel/schemas.ts'

export const maxStreamSections = 300
/** Maximum number of streams that one account puts into an order of its own, in all sections together. */
export const maxArrangedStreams = 2_000
export const maxStreamSectionNameLength = 60

const stream_ids = field(
  maxItems(streamId, maxArrangedStreams),
  'The streams in their order. Streams that belong to the section and are not listed follow, by name.',
)

/**
 * One section of the list of streams, as an account arranged it. `arrangeStreams` of the SDK defines which
 * streams a section shows.
 */
export const streamSection = z.discriminatedUnion('kind', [
  object({
    kind: field(z.literal('pinned'), 'The streams that the account pinned.'),
    stream_ids,
  }),
  object({
    kind: field(z.literal('own'), 'A folder of this account alone.'),
    name: field(
      maxCharacters(maxStreamSectionNameLength).pipe(nonBlank()),
      `The name of the folder, of up to ${maxStreamSectionNameLength} characters.`,
    ),
    stream_ids,
  }),
  object({
    kind: field(z.literal('shared'), 'A folder of the organization.'),
    folder_id: field(streamFolderId, texts.streamFolderId),
    stream_ids,
  }),
  object({
    kind: field(z.literal('other'), 'The streams of no other section.'),
    stream_ids,
  }),
])
export type StreamSection = z.infer<typeof streamSection>
