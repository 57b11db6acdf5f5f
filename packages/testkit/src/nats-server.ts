import type { ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { killChild, startChild } from './child-process.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export interface NatsServer extends AsyncDisposable {
  /** URL of the proxy in front of the server. */
  url: string
  network: TcpProxy
  kill(): Promise<void>
  start(): Promise<void>
}

/** Starts a NATS server for one test, which can kill, restart and disconnect it while nodes are running. */
export async function startNatsServer(): Promise<NatsServer> {
  const port = await freePort()
  const network = await startTcpProxy(port)
  let running: ChildProcess | undefined
  const nats: NatsServer = {
    url: `nats://127.0.0.1:${network.port}`,
    network,
    async start() {
      running = startChild('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
      await eventually(() => isReady(port))
    },
    async kill() {
      if (running) await killChild(running)
    },
    async [Symbol.asyncDispose]() {
      await nats.kill()
      await network[Symbol.asyncDispose]()
    },
  }
  await nats.start()
  return nats
}

/** Returns whether the server sends its greeting to a new connection. */
async function isReady(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const greeted = await new Promise<boolean>((resolve) => {
    socket.once('data', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  socket.destroy()
  return greeted
}
