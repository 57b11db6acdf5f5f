import { setFlagsFromString } from 'node:v8'
import { type Config, collectGarbage, loadConfig, startNode } from '@oxbow/server'
import { Command } from 'commander'
import { announce } from '../processes/announce.ts'
import { numberVariable } from '../processes/messages.ts'
import type { ServedProcess } from '../processes/served-process.ts'
import { report } from '../report.ts'
import { stopOnSignals } from '../stop-on-signals.ts'

interface Options {
  host?: string
  port?: string
  processes?: string
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('Run a node until it is stopped (Ctrl-C). Creates and migrates the database if needed.')
    .option('--host <address>', 'the address to listen on (OXBOW_HOST)')
    .option('--port <number>', 'the port to listen on (OXBOW_PORT)')
    .option(
      '--processes <number>',
      'processes that serve the port together, or `auto`: one for each processor (OXBOW_PROCESSES)',
    )
    .action(async ({ host, port, processes }: Options) => {
      const { config } = loadConfig({ host, port, processes })
      // Imported on demand: a single node uses neither module, and `node:cluster` takes memory.
      if (process.env[numberVariable] !== undefined) {
        const { ServedProcess } = await import('../processes/served-process.ts')
        await serveNode(config, new ServedProcess()).catch(endProcess)
      } else if (config.processes > 1) {
        const { supervise } = await import('../processes/supervise.ts')
        await supervise(config)
      } else await serveNode(config)
    })
}

/** Ends a process that cannot start. Its connection to the supervisor would otherwise keep it running. */
function endProcess(error: unknown): never {
  report(error)
  process.exit(1)
}

/** Runs a node in this process. With several processes, `peers` connects it to the supervisor. */
async function serveNode(config: Config, peers?: ServedProcess): Promise<void> {
  const node = await startNode(config, { waitForDatabaseMs: 30_000, peers })
  const drainMs = config.drain_seconds * 1_000
  if (peers) {
    peers.ready(node, drainMs)
  } else {
    announce(node.url)
    stopOnSignals(drainMs, (drainMs) => node.stop({ drainMs }))
    // SIGHUP requests a restart. A single process can only stop; the service manager then starts it again.
    process.once('SIGHUP', () => process.kill(process.pid, 'SIGTERM'))
  }
  // Returns the memory that only the start needed.
  collectGarbage({ type: 'major', flavor: 'last-resort' })
  // `bin/oxbow.js` limits memory during the start. From here on, memory may grow with the load.
  setFlagsFromString('--semi-space-growth-factor=2')
}
