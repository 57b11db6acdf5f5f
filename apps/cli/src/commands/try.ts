import { resolve } from 'node:path'
import {
  createOrganizationWithoutOwner,
  findFirstAccountLink,
  listOrganizations,
  loadConfig,
  startNode,
  writeCheckpoint,
} from '@oxbow/server'
import { Command } from 'commander'
import { print, warn } from '../report.ts'
import { stopOnSignals } from '../stop-on-signals.ts'
import { findBrowserUrl } from '../try/browser-url.ts'
import { openBrowser } from '../try/open-browser.ts'
import type { OwnPostgres } from '../try/start-postgres.ts'

interface Options {
  directory: string
  name: string
  host?: string
  port?: string
  open: boolean
}

/** For root, PostgreSQL runs under another account, which can seldom enter the current directory. */
const defaultDirectory = process.getuid?.() === 0 ? '/var/lib/oxbow-try' : 'oxbow-data'

export function tryCommand(): Command {
  return new Command('try')
    .description('Run a server with a PostgreSQL of its own, to try Oxbow without setting anything up.')
    .option('--directory <path>', 'the directory of all data', defaultDirectory)
    .option('--name <name>', 'the name of the organization that the first start creates', 'Our team')
    .option('--host <address>', 'the address to listen on (OXBOW_HOST)')
    .option('--port <number>', 'the port to listen on (OXBOW_PORT)')
    .option('--no-open', 'do not open the page in a browser')
    .action(async ({ directory, open, ...options }: Options) => {
      // Imported here, because only this command needs it.
      const { startPostgres } = await import('../try/start-postgres.ts')
      const home = resolve(directory)
      print(`Starting PostgreSQL in ${home} …`)
      const postgres = await startPostgres(home)
      print('Starting Oxbow …')
      // A failed start must not leave PostgreSQL behind.
      const page = await serve(postgres, home, options).catch(async (error) => {
        await postgres.stop()
        throw error
      })
      print(`All data is in ${home}. Ctrl-C stops the server, and the same command starts it again.`)
      if (open) openBrowser(page)
    })
}

async function serve(
  postgres: OwnPostgres,
  home: string,
  { name, host, port }: Pick<Options, 'name' | 'host' | 'port'>,
): Promise<string> {
  const { config } = loadConfig({
    database_url: postgres.url,
    data_dir: home,
    host,
    port,
    metrics_listen: 'off',
    // This command itself starts and stops PostgreSQL, so warnings about that would not help.
    log_level: 'error',
  })
  const node = await startNode(config)
  let isStopping = false
  stopOnSignals(0, async (drainMs) => {
    isStopping = true
    await node.stop({ drainMs })
    await postgres.stop()
  })
  void postgres.ended.then(() => {
    if (isStopping) return
    warn(`PostgreSQL has ended; ${home}/postgres.log says why. Start the command again.`)
    process.exit(1)
  })
  const { app } = node
  const organizations = await listOrganizations(app.db)
  if (organizations.length === 0) {
    await createOrganizationWithoutOwner(app, { name, subdomain: '' })
    // Removes the log of the migrations, which takes 3 MB.
    await writeCheckpoint(app.db)
  }
  const url = config.external_url ?? findBrowserUrl(node.url)
  const link = await findFirstAccountLink(app, { subdomain: '', origin: url })
  print(`Oxbow is running at ${url}`)
  print(link ? `Create the first account: ${link}` : `Sign in: ${url}/login`)
  return link ?? url
}
