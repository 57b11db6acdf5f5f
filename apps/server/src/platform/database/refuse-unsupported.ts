import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { SetupError } from '../operator-error.ts'
import { connectionOptions } from './database.ts'

/**
 * Throws for an encoding that cannot store all texts, for a standby, and for a transaction pooler. With a
 * standby or a pooler, events would be lost silently.
 */
export async function refuseUnsupportedDatabase(databaseUrl: string): Promise<void> {
  const [first, second] = [
    new pg.Client(connectionOptions(databaseUrl)),
    new pg.Client(connectionOptions(databaseUrl)),
  ]
  const ignore = () => {}
  first.on('error', ignore)
  second.on('error', ignore)
  try {
    await Promise.all([first.connect(), second.connect()])
    const encoding = await readEncoding(first)
    if (encoding !== 'UTF8') {
      throw new SetupError(
        `The database has the encoding ${encoding}. Oxbow needs UTF8, to store and compare texts of any language.\nCreate a database for it with: createdb --encoding=UTF8 --template=template0 NAME`,
      )
    }
    if (await isStandby(first)) {
      throw new SetupError(
        'This PostgreSQL is a standby, which cannot be written to.\nGive DATABASE_URL the address of the primary.',
      )
    }
    if (await sharesSessions(first, second)) {
      throw new SetupError(
        'Between this node and PostgreSQL is a pooler that gives each transaction another session. Oxbow needs sessions of its own: it holds a lock in one and listens in another.\nGive DATABASE_URL the address of PostgreSQL itself, or set the pooler to pool_mode = session.',
      )
    }
  } finally {
    await Promise.all([first.end().catch(ignore), second.end().catch(ignore)])
  }
}

async function readEncoding(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ encoding: string }>(
    "select current_setting('server_encoding') as encoding",
  )
  return rows[0]?.encoding ?? ''
}

async function isStandby(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  return rows[0]?.standby ?? false
}

/**
 * Returns whether a pooler shares sessions: a setting made in one session is lost, or visible in the other.
 */
async function sharesSessions(first: pg.Client, second: pg.Client): Promise<boolean> {
  const token = randomBytes(8).toString('hex')
  const read = async (client: pg.Client) => {
    const { rows } = await client.query<{ mark: string | null }>(
      "select current_setting('oxbow.session', true) as mark",
    )
    return rows[0]?.mark
  }
  await first.query("select set_config('oxbow.session', $1, false)", [token])
  return (await read(second)) === token || (await read(first)) !== token
}
