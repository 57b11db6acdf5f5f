import { once } from 'node:events'
import { join } from 'node:path'
import { killChild, startChild } from '@oxbow/testkit'
import type { NetworkCommand } from './network-process.ts'

/** Proxies in a separate process. */
export interface Network extends AsyncDisposable {
  /** Ports of the proxies, in the order of their targets. */
  ports: number[]
  /** Holds back all bytes without closing connections. */
  cut(): void
  heal(): void
}

export async function startNetwork(targets: readonly number[]): Promise<Network> {
  const child = startChild(process.execPath, [join(import.meta.dirname, 'network-process.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const send = (command: NetworkCommand) => void child.send(command)
  send({ targets: [...targets] })
  const [ports] = await once(child, 'message')
  return {
    ports,
    cut: () => send('cut'),
    heal: () => send('heal'),
    [Symbol.asyncDispose]: () => killChild(child),
  }
}
