import { showDialog } from '../client/open-dialogs.ts'
import type { KnownStream } from '../client/streams/streams.ts'
import { isFinalToLeave, leaveStream } from './subscribe.ts'

/** Leaves a stream. Asks for confirmation first if the user could not rejoin without help. */
export function askToLeave(stream: KnownStream): void {
  if (isFinalToLeave(stream)) showDialog({ kind: 'leave', stream_id: stream.stream_id })
  else void leaveStream(stream)
}
