import { foldName, foldTopic, Role } from '@oxbow/contract'
import { getTopicTerm } from '@oxbow/search'
import { sql } from 'kysely'
import { canSee, toViewer } from '../../../../streams/access.ts'
import { canReadHistory } from '../../../../streams/history.ts'
import { findStreamById, findStreamByName, type StreamWithMembership } from '../../../../streams/queries.ts'
import { listOneLocation, selectPublicStreams } from '../../../search/search-locations.ts'
import type { Reader } from '../../../visibility.ts'
import { buildNarrowError, equalsIgnoringCase, type NarrowOperator } from '../operator.ts'

/** Matches messages of a stream, given by name or id. */
export const stream: NarrowOperator = {
  async compile({ db, reader, operand }) {
    const found =
      typeof operand === 'number'
        ? await findStreamById(db, reader, operand as never)
        : await findStreamByName(db, reader, foldName(String(operand)))
    if (!found || !isKnownStream(reader, found)) throw buildNarrowError(`unknown stream ${operand}`)
    const condition = sql<boolean>`m.recipient_id = ${found.id}`
    return {
      condition,
      namedStream: found,
      indexHints: { stream: found, streamCondition: condition },
      search: { locations: listOneLocation(found.id) },
      includesHistory: canReadHistory(found, toViewer(reader, found)),
    }
  },
  matchesEvent: ({ type, display_recipient }, _flags, name) =>
    type === 'stream' && equalsIgnoringCase(display_recipient, name),
}

/**
 * Former subscribers may use a stream in a narrow, even if it is archived, because they can still
 * read the messages that they received there.
 */
const isKnownStream = (reader: Reader, found: StreamWithMembership): boolean =>
  found.membership !== 'never' || canSee(found, toViewer(reader, found))

/** Matches messages of all public streams; `public` is the only operand. */
export const streams: NarrowOperator = {
  compile({ reader, operand }) {
    if (operand !== 'public') throw buildNarrowError(`unknown streams operand ${operand}`)
    return {
      condition: sql`(not m.is_private and exists (
        select from stream s
        where s.organization_id = m.organization_id and s.id = m.recipient_id and not s.invite_only))`,
      indexHints: { isPublic: true },
      search: { locations: selectPublicStreams },
      // For guests, other terms decide: a guest may read the history of a stream that the narrow also names.
      ...(reader.role !== Role.guest && { includesHistory: true }),
    }
  },
}

/** Matches messages of a topic, in any stream unless another term limits the stream. */
export const topic: NarrowOperator = {
  compile({ operand }) {
    const folded = foldTopic(String(operand))
    return {
      condition: sql`m.folded_topic = ${folded}`,
      indexHints: { topic: folded },
      search: { words: [getTopicTerm(folded)] },
    }
  },
  matchesEvent: ({ type, subject }, _flags, name) => type === 'stream' && equalsIgnoringCase(subject, name),
}
