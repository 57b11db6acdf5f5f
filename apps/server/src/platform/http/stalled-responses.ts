import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** How long a client may leave an answer unread before its connection is cut, in milliseconds. */
export const writeStallMs = 60_000

/** Cuts the connection where no byte of the answer has left for `stallMs`; an answer that is still awaited may take any time. */
export function cutWhenStalled(response: ServerResponse, stallMs: number): void {
  // A request that did not come over the network has nothing to be cut.
  if (!(response.socket instanceof Socket)) return
  response.setTimeout(stallMs)
  response.on('timeout', destroyIfWriting)
}

/** Node restarts the timer with every write and while the kernel still takes bytes of one. */
function destroyIfWriting(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy()
}
