import { writeHash } from '../client/route/hash.ts'
import { type PageOf, type Route, streamRoute } from '../client/route/route.ts'
import type { KnownStream } from '../client/streams/streams.ts'

type Named = Pick<KnownStream, 'stream_id' | 'name'>

/** Returns the route of a page about a stream. */
const detailsRoute = ({ stream_id, name }: Named, page: PageOf<'stream'> = 'general'): Route => ({
  view: 'stream',
  stream_id,
  name,
  page,
})

/** Returns the URL fragment of a stream's messages. */
export const streamHash = ({ stream_id, name }: Named): string => writeHash(streamRoute({ stream_id, name }))

/** Returns the URL fragment of a page about a stream. */
export const detailsHash = (stream: Named, page?: PageOf<'stream'>): string =>
  writeHash(detailsRoute(stream, page))
