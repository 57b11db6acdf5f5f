import { setFlagsFromString } from 'node:v8'
import { loadConfig, startNode } from '@oxbow/server'
import { Command } from 'commander'
import { print } from '../report.ts'
import { stopOnSignals } from '../stop-on-signals.ts'

interface Options {
  host?: string
  port?: string
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('Run a node until it is stopped (Ctrl-C). Creates and migrates the database if needed.')
    .option('--host <address>', 'the address to listen on (OXBOW_HOST)')
    .option('--port <number>', 'the port to listen on (OXBOW_PORT)')
    .action(async ({ host, port }: Options) => {
      const { config } = loadConfig({ host, port })
      const node = await startNode(config, { waitForDatabaseMs: 30_000 })
      // By this name organizations can have subdomains, and other commands print it too.
      const url = node.url.replace('//127.0.0.1', '//localhost')
      print(`Oxbow is running at ${url}  (API reference: ${url}/api/docs)`)
      stopOnSignals(config.drain_seconds * 1_000, (drainMs) => node.stop({ drainMs }))
      // `bin/oxbow.js` limits memory during the start; from here on it may grow with the load.
      setFlagsFromString('--semi-space-growth-factor=2')
    })
}
