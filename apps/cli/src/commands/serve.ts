import { setFlagsFromString } from 'node:v8'
import { loadConfig, startNode } from '@oxbow/server'
import { Command } from 'commander'
import { print } from '../report.ts'

interface Options {
  host?: string
  port?: string
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('Answer requests until stopped (Ctrl-C). Creates and migrates the database as needed.')
    .option('--host <address>', 'the address to listen on (OXBOW_HOST)')
    .option('--port <number>', 'the port to listen on (OXBOW_PORT)')
    .action(async ({ host, port }: Options) => {
      const { config } = loadConfig({ host, port })
      const node = await startNode(config)
      print(`Oxbow answers at ${node.url}  (reference: ${node.url}/api/docs)`)
      stopOnSignal(() => node.stop())
      // From here on its memory grows with the load; `bin/oxbow.js` held it small while it started.
      setFlagsFromString('--semi-space-growth-factor=2')
    })
}

/** The first signal stops in order; the second, or half a minute, does not wait any longer. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  const onSignal = () => {
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(1), 30_000).unref()
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}
