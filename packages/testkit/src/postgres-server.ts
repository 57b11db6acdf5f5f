import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const script = join(import.meta.dirname, '..', '..', '..', 'scripts', 'start-postgres.sh')

export interface PostgresServer extends AsyncDisposable {
  url(database: string): string
  /** As when the machine loses power. */
  kill(): void
  start(): void
}

/** A PostgreSQL of the test's own, to be stopped and started under a running node. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-postgres-'))
  const port = await freePort()
  const run = (...args: string[]) =>
    execFileSync('bash', [script, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  let running = false
  const server: PostgresServer = {
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    start() {
      run(directory, String(port))
      running = true
    },
    kill() {
      run('--stop', directory)
      running = false
    },
    async [Symbol.asyncDispose]() {
      if (running) server.kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
  server.start()
  return server
}

async function freePort(): Promise<number> {
  const listener = createServer()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  await new Promise((resolve) => listener.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
