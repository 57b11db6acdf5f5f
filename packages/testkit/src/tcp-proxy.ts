import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export interface TcpProxy extends AsyncDisposable {
  port: number
  /** Holds back all bytes without closing connections, like a network that drops all packets. */
  cut(): void
  /** Ends a cut, and forwards the bytes that were held back. */
  heal(): void
  /** Breaks all connections and refuses new ones. */
  close(): void
  /** Drops all further bytes of the event streams that are open now, without closing them. New ones work. */
  swallowEventStreams(): void
  /** Breaks all connections, and forwards new ones to this port. */
  pointTo(port: number): void
}

export interface TcpProxyOptions {
  /** Holds back event streams until they end, like proxies that buffer whole responses. */
  buffersEventStreams?: boolean
  /** Recognizes event streams, so that `swallowEventStreams` works. */
  findsEventStreams?: boolean
}

/** Starts a proxy between a client and a server on this machine that can simulate network faults. */
export async function startTcpProxy(
  target: number,
  { buffersEventStreams = false, findsEventStreams = false }: TcpProxyOptions = {},
): Promise<TcpProxy> {
  let state: 'open' | 'cut' | 'closed' = 'open'
  let port = target
  const links = new Set<[Socket, Socket]>()
  /** Filters by the socket of the client. */
  const responses = new Map<Socket, ResponseFilter>()
  const join = ([near, far]: [Socket, Socket]) => {
    near.pipe(far)
    if (!buffersEventStreams && !findsEventStreams) {
      far.pipe(near)
      return
    }
    const filter = responses.get(near) ?? new ResponseFilter(buffersEventStreams)
    responses.set(near, filter)
    far.pipe(filter).pipe(near)
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
        // During a cut, the other side is not notified that the connection was closed.
        if (state === 'cut') return
        links.delete(link)
        responses.delete(near)
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
        responses.get(near)?.unpipe()
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
    swallowEventStreams() {
      for (const filter of responses.values()) filter.swallow()
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

/** Forwards responses. Keeps the bytes of an event stream until the connection ends, or drops them. */
class ResponseFilter extends Transform {
  readonly #buffers: boolean
  readonly #held: Buffer[] = []
  #isEventStream = false
  #isSwallowing = false

  constructor(buffers: boolean) {
    super()
    this.#buffers = buffers
  }

  /** Drops the further bytes if this is an event stream. */
  swallow(): void {
    this.#isSwallowing = this.#isEventStream
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk?: Buffer) => void): void {
    this.#isEventStream ||= /^content-type: text\/event-stream/im.test(chunk.toString('latin1'))
    const isHeld = this.#isEventStream && this.#buffers
    if (isHeld) this.#held.push(chunk)
    if (isHeld || this.#isSwallowing) done(null)
    else done(null, chunk)
  }

  override _flush(done: (error: null, chunk?: Buffer) => void): void {
    done(null, Buffer.concat(this.#held))
  }
}

export interface DatabaseProxy extends TcpProxy {
  /** Leads to the database through the proxy. */
  readonly url: string
  /** Port of the PostgreSQL server. */
  readonly targetPort: number
}

/** Starts a proxy in front of the PostgreSQL server of a database. */
export async function startDatabaseProxy(database_url: string): Promise<DatabaseProxy> {
  const url = new URL(database_url)
  const targetPort = Number(url.port || 5432)
  const proxy = await startTcpProxy(targetPort)
  // The query may name a socket, which would take precedence.
  Object.assign(url, { hostname: '127.0.0.1', port: String(proxy.port), search: '' })
  return Object.assign(proxy, { url: url.href, targetPort })
}
