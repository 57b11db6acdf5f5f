import { loadConfig, openApp } from '@oxbow/server'
import { type Account, testSecret } from '@oxbow/testkit'
import { Kysely, PostgresDialect } from 'kysely'
import type { Actor } from '../../../apps/server/src/platform/actor.ts'
import type { App } from '../../../apps/server/src/platform/app.ts'
import type { Tables } from '../../../apps/server/src/platform/database/tables.ts'
import type { BenchOrganization } from '../events/bench-organization.ts'

/** A statement that was sent to PostgreSQL, with its duration. */
export interface Statement {
  text: string
  values: readonly unknown[]
  milliseconds: number
}

/** Runs the server's actions in this process, without a node. */
export interface InProcessServer extends AsyncDisposable {
  app: App
  actorOf(account: Account): Promise<Actor>
  /** Runs `work` and returns its result with the statements that were sent to PostgreSQL meanwhile. */
  watch<Result>(work: () => Promise<Result>): Promise<{ result: Result; statements: Statement[] }>
}

export async function openInProcessServer({
  database,
  organization_id,
}: BenchOrganization): Promise<InProcessServer> {
  const { config } = loadConfig({ database_url: database.url, secret: testSecret, log_level: 'silent' }, {})
  const opened = await openApp(config)
  let statements: Statement[] = []
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: opened.database.pool }),
    log: ({ query, queryDurationMillis }) => {
      statements.push({ text: query.sql, values: query.parameters, milliseconds: queryDurationMillis })
    },
  })
  return {
    app: { ...opened.app, db },
    async actorOf({ user_id }) {
      const { api_key_hash: hash, ...account } = await opened.app.db
        .selectFrom('user_account')
        .select(['role', 'bot_type', 'api_key_hash'])
        .where('organization_id', '=', organization_id as never)
        .where('id', '=', user_id as never)
        .executeTakeFirstOrThrow()
      return {
        ...account,
        organization_id,
        user_id,
        credential: { kind: 'key', hash },
        subdomain: '',
        origin: 'http://127.0.0.1',
        client: 'Unspecified',
        legacyNames: false,
      } as Actor
    },
    async watch(work) {
      statements = []
      const result = await work()
      return { result, statements }
    },
    [Symbol.asyncDispose]: opened.close,
  }
}
