import { computed } from '@preact/signals'
import { isAdministrator, isGuest } from '../store.ts'
import { type KnownStream, knownStreams, nameOrder, streamsById } from './streams.ts'

/** A stream in the list of streams. */
export interface ListedStream {
  readonly stream: KnownStream
  readonly isIn: boolean
}

/**
 * Whether the account can subscribe itself to a stream. Only members can add people to private streams,
 * and guests cannot join any stream.
 */
export const canJoin = ({ invite_only }: KnownStream): boolean => !invite_only && !isGuest.value

/** Streams that the account has joined or can join, sorted by name; for administrators, all known streams. */
export const listedStreams = computed((): readonly ListedStream[] =>
  [...knownStreams.value.values()]
    .map((stream) => ({ stream, isIn: streamsById.value.has(stream.stream_id) }))
    .filter(({ stream, isIn }) => isIn || canJoin(stream) || isAdministrator.value)
    .sort((one, other) => nameOrder.compare(one.stream.name, other.stream.name)),
)
