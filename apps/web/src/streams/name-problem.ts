import type { StreamId } from '@oxbow/contract'
import { countCharacters, foldName, maxStreamNameLength } from '@oxbow/contract/plain'
import { knownStreams } from '../client/streams/streams.ts'
import { t } from '../text/t.ts'

/** Errors of the server that concern the name of a stream. */
const nameErrors = [
  'INVALID_STREAM_NAME',
  'STREAM_NAME_TOO_LONG',
  'STREAM_NAME_HAS_NUL',
  'STREAM_NAME_TAKEN',
  'STREAM_NOT_ACCESSIBLE',
]

export const isAboutName = (errorName: string | undefined): boolean => nameErrors.includes(errorName ?? '')

/**
 * Returns the error message for the name of a stream; undefined if the client finds no problem. The
 * server may refuse the name for further reasons.
 */
export function findNameProblem(name: string, own?: { stream_id: StreamId }): string | undefined {
  const folded = foldName(name)
  if (folded === '') return t('streams.name_missing')
  const excess = countCharacters(name.trim()) - maxStreamNameLength
  if (excess > 0) return t('streams.name_too_long', { count: excess })
  // For a name in use, the server would join the existing stream instead of creating one.
  const isTaken = [...knownStreams.peek().values()].some(
    (stream) => stream.stream_id !== own?.stream_id && foldName(stream.name) === folded,
  )
  return isTaken ? t('streams.name_taken') : undefined
}
