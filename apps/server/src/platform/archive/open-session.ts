import pg from 'pg'
import { connectionOptions } from '../database/database.ts'
import { SetupError } from '../operator-error.ts'
import { useExactText } from './database-tables.ts'

export interface Session extends AsyncDisposable {
  client: pg.Client
}

/** Connects for a backup or a restore, without a time limit for statements. */
export async function openSession(databaseUrl: string, application_name: string): Promise<Session> {
  const client = new pg.Client({
    ...connectionOptions(databaseUrl),
    application_name,
    statement_timeout: 0,
    lock_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  })
  // The statement that is running, or the next one, throws the same error.
  client.on('error', () => {})
  await client.connect().catch((cause: Error) => {
    throw new SetupError(
      `The database cannot be used: ${cause.message}\nDATABASE_URL says where to look, like postgres://user:password@localhost:5432/oxbow`,
      { cause },
    )
  })
  await useExactText(client)
  return { client, [Symbol.asyncDispose]: () => client.end() }
}
