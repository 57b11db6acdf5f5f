import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killChild, startChild } from './child-process.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'

export interface PgBouncer extends AsyncDisposable {
  url(database: string): string
}

/** Starts PgBouncer in front of the PostgreSQL server on this port. */
export async function startPgBouncer(
  postgres: number,
  poolMode: 'session' | 'transaction',
): Promise<PgBouncer> {
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-pgbouncer-'))
  const port = await freePort()
  const file = join(directory, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${postgres} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
default_pool_size = 50
ignore_startup_parameters = extra_float_digits, statement_timeout, lock_timeout, idle_in_transaction_session_timeout
`,
  )
  chmodSync(directory, 0o755)
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = startChild('pgbouncer', ['-q', ...user, file], { stdio: 'ignore' })
  await eventually(() => isOpen(port))
  return {
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    async [Symbol.asyncDispose]() {
      await killChild(child)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const opened = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  socket.destroy()
  return opened
}
