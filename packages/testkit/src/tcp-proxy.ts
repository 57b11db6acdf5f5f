import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy extends AsyncDisposable {
  port: number
  /** As a network that loses everything: no byte passes, nothing is closed. */
  cut(): void
  /** What was held back passes now. */
  heal(): void
  /** Breaks all connections and refuses new ones. */
  close(): void
  /** Breaks all connections; new ones go there. */
  pointTo(port: number): void
}

/** Stands between a client and a server on this machine, to do to them what networks do. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  let state: 'open' | 'cut' | 'closed' = 'open'
  let port = target
  const links = new Set<[Socket, Socket]>()
  const join = ([near, far]: [Socket, Socket]) => {
    near.pipe(far)
    far.pipe(near)
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
        // While cut, the other side does not learn of it.
        if (state === 'cut') return
        links.delete(link)
        for (const each of link) each.destroy()
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
        near.unpipe(far).pause()
        far.unpipe(near).pause()
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
