import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export interface TcpProxy extends AsyncDisposable {
  port: number
  /** Holds back every byte and closes no connection, as a network that drops all packets. */
  cut(): void
  /** Ends a cut, and passes on the bytes that were held back. */
  heal(): void
  /** Breaks all connections and refuses new ones. */
  close(): void
  /** Breaks all connections, and sends new ones to this port. */
  pointTo(port: number): void
}

export interface TcpProxyOptions {
  /** Holds back event streams until they end, as proxies do that collect a response before they pass it on. */
  buffersEventStreams?: boolean
}

/** Starts a proxy between a client and a server on this machine that can simulate network faults. */
export async function startTcpProxy(
  target: number,
  { buffersEventStreams = false }: TcpProxyOptions = {},
): Promise<TcpProxy> {
  let state: 'open' | 'cut' | 'closed' = 'open'
  let port = target
  const links = new Set<[Socket, Socket]>()
  const join = ([near, far]: [Socket, Socket]) => {
    near.pipe(far)
    if (buffersEventStreams) far.pipe(holdBackEventStreams()).pipe(near)
    else far.pipe(near)
  }
  const breakAll = () => {
    for (const link of links) for (const socket of link) socket.destroy()
  }
  const server = createServer({ noDelay: true }, (near) => {
    if (state === 'closed') {
      near.destroy()
      return
    }
    const link: [Socket, Socket] = [near, connect({ port, host: '127.0.0.1', noDelay: true })]
    links.add(link)
    for (const socket of link) {
      socket.on('error', () => {})
      socket.on('close', () => {
        // During a cut the other side does not learn that the connection was closed.
        if (state === 'cut') return
        links.delete(link)
        for (const socket of link) socket.destroy()
      })
    }
    if (state === 'open') join(link)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut'
      for (const [near, far] of links) {
        near.unpipe().pause()
        far.unpipe().pause()
      }
    },
    heal() {
      state = 'open'
      for (const link of links) {
        if (link.every((socket) => !socket.destroyed)) join(link)
        else for (const socket of link) socket.destroy()
        if (link.some((socket) => socket.destroyed)) links.delete(link)
      }
    },
    close() {
      state = 'closed'
      breakAll()
    },
    pointTo(next) {
      port = next
      state = 'open'
      breakAll()
    },
    async [Symbol.asyncDispose]() {
      state = 'closed'
      breakAll()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** Passes on responses, except the bytes of an event stream, which it keeps until the connection ends. */
function holdBackEventStreams(): Transform {
  const held: Buffer[] = []
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (held.length === 0 && !/^content-type: text\/event-stream/im.test(chunk.toString('latin1')))
        return done(null, chunk)
      held.push(chunk)
      done()
    },
    flush(done) {
      done(null, Buffer.concat(held))
    },
  })
}
