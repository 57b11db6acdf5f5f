import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** Time for which a client may leave a response unread before its connection is closed. */
export const writeStallMs = 60_000

/**
 * Closes the connection if no byte of a response could be sent for `stallMs`. Waiting for a
 * response has no limit.
 */
export function cutWhenStalled(response: ServerResponse, stallMs: number): void {
  // Injected requests in tests have no socket.
  if (!(response.socket instanceof Socket)) return
  response.setTimeout(stallMs)
  response.on('timeout', destroyIfWriting)
}

/** Runs on the socket's timeout, which Node restarts with every write that makes progress. */
function destroyIfWriting(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy()
}
