import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { EventSource } from '@oxbow/testkit'

/** An event stream whose socket on the server sends nothing, as if the buffers of a client that does not read were full. */
export interface StalledStream {
  readonly source: EventSource
  /** Lets the server send again. */
  resume(): void
}

/**
 * Opens the event stream of a queue, and stalls it after the response's head. Sockets do not drain from then on, so
 * that a server waits as soon as it has more to send than the socket buffers in the process.
 */
export async function stallStream(
  queue_id: string,
  open: () => Promise<EventSource>,
): Promise<StalledStream> {
  const sockets: Socket[] = []
  const collect = (message: unknown) => {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://node')
    if (pathname.endsWith('/events') && searchParams.get('queue_id') === queue_id) sockets.push(socket)
  }
  subscribe('http.server.request.start', collect)
  let source: EventSource
  try {
    source = await open()
  } finally {
    unsubscribe('http.server.request.start', collect)
  }
  const [socket, ...others] = sockets
  if (!socket || others.length > 0) throw new Error(`${sockets.length} streams of the queue were opened`)
  socket.cork()
  return { source, resume: () => socket.uncork() }
}
