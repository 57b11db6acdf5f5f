import type { Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * A connection is closed if its client leaves a response unread, does not finish sending a request, or sends
 * no byte of a streamed file for this long.
 */
export const defaultStallMs = 60_000

/** Maximum time in which a streamed file must arrive, even if it arrives steadily. */
export const maxStreamedMs = 12 * 3_600_000

interface Progress {
  /** Number of bytes that the kernel has accepted. */
  sentBytes: number
  /** The last time, by `performance.now`, at which `sentBytes` changed or nothing waited to be sent. */
  movedAt: number
  /** The newest request of the connection and its response, until the request has arrived completely. */
  request: FastifyRequest | undefined
  response: ServerResponse | undefined
  /** When the request began, by `performance.now`. */
  startedAt: number
  /** Number of bytes that the client has sent. */
  receivedBytes: number
  /** When `receivedBytes` last changed. */
  receivedAt: number
}

/**
 * Closes connections whose client makes no progress for `stallMs`: a response is waiting and no byte of it
 * could be sent, or a request has not arrived completely. A request with a streamed file may take longer, as
 * long as some of it arrives within each `stallMs`. A client may wait for a response without limit.
 *
 * Node's own timeouts are not suitable: the request timeout would end every large upload after the same time,
 * and the socket timeout restarts with every byte in either direction.
 */
export class StalledConnections {
  readonly #stallMs: number
  readonly #refuse: (socket: Socket) => void
  readonly #sockets = new Map<Socket, Progress>()
  readonly #timer: NodeJS.Timeout

  /** `refuse` sends the error for a request that takes too long, and closes its connection. */
  constructor(stallMs: number, refuse: (socket: Socket) => void) {
    this.#stallMs = stallMs
    this.#refuse = refuse
    this.#timer = setInterval(() => this.#closeStalled(), stallMs / 4).unref()
  }

  /** Watches the connection until it is closed. Call it for every request. */
  watch(request: FastifyRequest, response: ServerResponse): void {
    const { socket } = request.raw
    const now = performance.now()
    const progress = this.#sockets.get(socket)
    if (progress) {
      progress.request = request
      progress.response = response
      progress.startedAt = now
      progress.receivedAt = now
      return
    }
    // Requests that tests inject have no socket.
    if (!(socket instanceof Socket)) return
    const sent = { sentBytes: 0, movedAt: now }
    const received = { receivedBytes: 0, receivedAt: now }
    this.#sockets.set(socket, { ...sent, ...received, request, response, startedAt: now })
    socket.once('close', () => this.#sockets.delete(socket))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #closeStalled(): void {
    const now = performance.now()
    for (const [socket, progress] of this.#sockets) {
      if (this.#isUnread(socket, progress, now)) socket.destroy()
      else if (this.#isTooSlow(socket, progress, now)) {
        if (progress.response?.headersSent) socket.destroy()
        else this.#refuse(socket)
      }
    }
  }

  #isUnread(socket: Socket, progress: Progress, now: number): boolean {
    const sentBytes = countSentBytes(socket)
    if (socket.writableLength > 0 && sentBytes === progress.sentBytes)
      return now - progress.movedAt >= this.#stallMs
    progress.sentBytes = sentBytes
    progress.movedAt = now
    return false
  }

  #isTooSlow(socket: Socket, progress: Progress, now: number): boolean {
    const { request, startedAt } = progress
    if (!request) return false
    if (request.raw.complete) {
      // Released, because thousands of idle connections would otherwise retain their last requests in
      // memory.
      progress.request = undefined
      progress.response = undefined
      return false
    }
    if (!request.isStreamed) return now - startedAt >= this.#stallMs
    if (socket.bytesRead !== progress.receivedBytes) {
      progress.receivedBytes = socket.bytesRead
      progress.receivedAt = now
    }
    return now - progress.receivedAt >= this.#stallMs || now - startedAt >= maxStreamedMs
  }
}

/** The part of Node's socket handle that shows how much of a large write was already sent. */
interface Handle {
  bytesWritten?: number
  writeQueueSize?: number
}

function countSentBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: Handle | null }
  return (handle?.bytesWritten ?? 0) - (handle?.writeQueueSize ?? 0)
}

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
