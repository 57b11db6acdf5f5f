import { startTcpProxy, type TcpProxy } from '../../packages/testkit/src/tcp-proxy.ts'

// The network of one member: proxies to the ports that the first message lists. Later messages cut and heal it. It is a
// separate process, so that the load of the clients does not delay the checks of HAProxy and Patroni.

export type NetworkCommand = { targets: number[] } | 'cut' | 'heal'

let proxies: TcpProxy[] = []

process.on('message', async (command: NetworkCommand) => {
  if (command === 'cut') for (const proxy of proxies) proxy.cut()
  else if (command === 'heal') for (const proxy of proxies) proxy.heal()
  else {
    proxies = await Promise.all(command.targets.map((port) => startTcpProxy(port)))
    process.send?.(proxies.map(({ port }) => port))
  }
})
// Exits with the parent, which may be killed.
process.on('disconnect', () => process.exit())
