import { Socket } from 'node:net'

/** Time for which a client may leave a response unread before its connection is closed. */
export const writeStallMs = 60_000

interface Progress {
  /** Bytes that the kernel has accepted. */
  sentBytes: number
  /**
   * When `sentBytes` last changed, or when nothing was waiting to be sent, by `performance.now`.
   */
  movedAt: number
}

/**
 * Closes connections on which a response is waiting to be sent and no byte could be sent for
 * `stallMs`. Waiting for a response has no limit. A socket's own timeout does not serve for this:
 * it restarts with every byte that the client sends, so a client that goes on writing would never
 * be closed.
 */
export class StalledConnections {
  readonly #stallMs: number
  readonly #sockets = new Map<Socket, Progress>()
  readonly #timer: NodeJS.Timeout

  constructor(stallMs: number) {
    this.#stallMs = stallMs
    this.#timer = setInterval(() => this.#closeStalled(), stallMs / 4).unref()
  }

  /** Watches the socket until it is closed. Call it for every request. */
  watch(socket: Socket): void {
    // Injected requests in tests have no socket.
    if (!(socket instanceof Socket) || this.#sockets.has(socket)) return
    this.#sockets.set(socket, { sentBytes: 0, movedAt: performance.now() })
    socket.once('close', () => this.#sockets.delete(socket))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #closeStalled(): void {
    const now = performance.now()
    for (const [socket, progress] of this.#sockets) {
      const sentBytes = countSentBytes(socket)
      if (socket.writableLength === 0 || sentBytes !== progress.sentBytes) {
        progress.sentBytes = sentBytes
        progress.movedAt = now
      } else if (now - progress.movedAt >= this.#stallMs) {
        socket.destroy()
      }
    }
  }
}

/** The part of Node's socket handle that shows how much of a large write is already sent. */
interface Handle {
  bytesWritten?: number
  writeQueueSize?: number
}

function countSentBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: Handle | null }
  return (handle?.bytesWritten ?? 0) - (handle?.writeQueueSize ?? 0)
}
