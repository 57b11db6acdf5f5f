import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** A client that wants to send a request does so soon after it has connected. */
const minUnusedMs = 1_000

export interface UnusedConnections {
  /** Closes connections that have been open for more than a second without a byte from the client. */
  close(): void
}

/**
 * Tracks connections over which no request has arrived. Browsers open connections in advance, and balancers to
 * see whether the port is open. To Node they are not idle, so they would delay the end of the server.
 */
export function trackUnusedConnections(server: Server): UnusedConnections {
  const openedAt = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    openedAt.set(socket, performance.now())
    socket.once('close', () => openedAt.delete(socket))
  })
  server.on('request', ({ socket }) => openedAt.delete(socket))
  return {
    close() {
      const openedBefore = performance.now() - minUnusedMs
      for (const [socket, at] of openedAt) if (at < openedBefore && socket.bytesRead === 0) socket.destroy()
    },
  }
}
