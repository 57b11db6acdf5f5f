import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { sealedColumns } from '../features.ts'
import { resealRecords } from '../people/users/bots/reseal-records.ts'
import type { App } from '../platform/app.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { resealColumn } from '../platform/secrets/reseal.ts'
import { readSecretState } from '../platform/secrets/secret-state.ts'
import { nodeLifetimeSeconds } from '../platform/secrets/watch-secret.ts'

const maxWaitMs = 300_000

/**
 * Rotates the server's secret while nodes run. Records the new secret in the database, waits until
 * every node seals with it, and rewrites all seals made with the old secret. If interrupted, the
 * next call continues.
 */
export async function rotateSecret(app: App, say: (progress: string) => void): Promise<void> {
  const { fingerprint, oldFingerprint } = app.secrets
  const state = await readSecretState(app.db)
  const isCurrent = state.secret_fingerprint.equals(fingerprint)
  if (isCurrent && (state.secret_rotated_at || !state.old_secret_fingerprint)) {
    throw new OperatorError(
      oldFingerprint
        ? 'Everything is sealed with this secret already. Remove OXBOW_OLD_SECRET (or the file `secret.old`) from every node.'
        : howToRotate,
    )
  }
  if (isCurrent) say('Going on with a change of the secret that was interrupted.')
  else await begin(app)
  app.secrets.adopt(await readSecretState(app.db))
  say('The new secret is in use. Waiting until every node seals with it.')
  await waitForNodes(app)
  await waitForTransactions(app)
  await rewriteAll(app, say)
  await sql`update server set secret_rotated_at = now()`.execute(app.db)
  say('Done. The old secret can be removed: OXBOW_OLD_SECRET or the file `secret.old`, on every node.')
}

const howToRotate = `To change the secret, first give every node both secrets and restart it, one after the other:
  OXBOW_SECRET      the new one, made with \`openssl rand -base64 32\`
  OXBOW_OLD_SECRET  the one so far
or, where the secret is in data_dir, rename the file \`secret\` to \`secret.old\`; a new one is made.
Then run this command again, with the same settings.`

/**
 * Records in the database that the new secret is in use. Throws if a running node does not have it.
 */
async function begin({ db, secrets }: App): Promise<void> {
  await inTransaction(db, async (tx) => {
    // A node that is starting waits for this lock, and then detects that the secret was changed.
    await sql`lock table node_secret in exclusive mode`.execute(tx)
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from node_secret
      where ${isAlive} and not ${secrets.openHeaders[0]} = any (opens)`.execute(tx)
    const count = Number(rows[0]?.count)
    if (count > 0) {
      throw new OperatorError(
        `The secret was not changed: ${count === 1 ? '1 node runs' : `${count} nodes run`} without the new one.\n` +
          'Give every node both OXBOW_SECRET (the new one) and OXBOW_OLD_SECRET (the one so far) and restart it. ' +
          `A node that crashed is forgotten after ${nodeLifetimeSeconds} seconds.`,
      )
    }
    await sql`
      update server set secret_fingerprint = ${secrets.fingerprint}, old_secret_fingerprint = secret_fingerprint,
        hash_key_sealed = ${secrets.sealHashKey()}, secret_rotated_at = null
      where secret_fingerprint = ${secrets.oldFingerprint}`.execute(tx)
  })
}

const isAlive = sql`seen_at > now() - make_interval(secs => ${sql.lit(nodeLifetimeSeconds)})`

function waitForNodes({ db, secrets }: App): Promise<void> {
  return waitUntil('a node still seals with the old secret', async () => {
    const { rows } = await sql`
      select from node_secret where ${isAlive} and seals_with <> ${secrets.sealHeader} limit 1`.execute(db)
    return rows.length === 0
  })
}

/**
 * Waits for transactions that began before all nodes used the new secret, because they may still
 * write seals made with the old secret.
 */
async function waitForTransactions({ db }: App): Promise<void> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db)
  const began = rows[0]?.now
  await waitUntil('a transaction is open that began before', async () => {
    const { rows: open } = await sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'oxbow' and pid <> pg_backend_pid()
        and xact_start < ${began}::timestamptz limit 1`.execute(db)
    return open.length === 0
  })
}

async function waitUntil(problem: string, isDone: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + maxWaitMs
  while (!(await isDone())) {
    if (performance.now() > end) {
      throw new OperatorError(
        `Not everything is sealed with the new secret yet: ${problem}. Keep both secrets, and run this command again.`,
      )
    }
    await setTimeout(250)
  }
}

/** Rewrites all seals made with the old secret. Repeats until a pass finds none. */
async function rewriteAll(app: App, say: (progress: string) => void): Promise<void> {
  for (;;) {
    let total = 0
    for (const column of sealedColumns) {
      const { rewritten, unreadable } = await resealColumn(app, column)
      total += rewritten
      const name = `${column.table}.${column.column}`
      if (rewritten > 0) say(`${name}: ${rewritten} rewritten`)
      else if (unreadable > 0)
        say(`${name}: ${unreadable} open with neither secret and stay as they are; their rows were damaged`)
    }
    const records = await resealRecords(app)
    if (records > 0) say(`event log: ${records} rewritten`)
    if (total + records === 0) return
  }
}
