import type { ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { killChild, startChild } from './child-process.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export interface NatsServer extends AsyncDisposable {
  /** Leads through the network. */
  url: string
  network: TcpProxy
  kill(): Promise<void>
  start(): Promise<void>
}

/** A NATS server of the test's own, to be killed, started and cut off under running nodes. */
export async function startNatsServer(): Promise<NatsServer> {
  const port = await freePort()
  const network = await startTcpProxy(port)
  let running: ChildProcess | undefined
  const nats: NatsServer = {
    url: `nats://127.0.0.1:${network.port}`,
    network,
    async start() {
      running = startChild('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
      await eventually(() => answers(port))
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

/** It greets whoever connects. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const greeted = await new Promise<boolean>((resolve) => {
    socket.once('data', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  socket.destroy()
  return greeted
}
