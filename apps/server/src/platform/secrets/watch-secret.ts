import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { App } from '../app.ts'
import type { Db } from '../database/database.ts'
import { SetupError } from '../operator-error.ts'
import { describeSecretProblem, readSecretState } from './secret-state.ts'
import type { SecretProblem } from './secrets.ts'

/**
 * Interval at which a node reports which seals it can open, and checks whether the secret was
 * changed.
 */
const reportMs = 10_000
/** A node that has not reported for this long is regarded as dead. */
export const nodeLifetimeSeconds = 60

const maxStopMs = 2_000

export interface SecretWatch {
  stop(): Promise<void>
}

/** Throws if this node has the wrong secret. Otherwise adopts changes of the secret until stopped. */
export async function watchSecret(app: App, everyMs = reportMs): Promise<SecretWatch> {
  const node = randomUUID()
  const problem = await report(app, node)
  if (problem) {
    await deleteReport(app, node)
    throw new SetupError(describeSecretProblem(problem, app.config))
  }
  let running: Promise<void> | undefined
  let isReported = false
  const timer = setInterval(() => {
    // One report at a time: `stop` waits for it, and a later one would insert the row again that `stop` deletes.
    running ??= report(app, node)
      .then(
        (found) => {
          if (found && !isReported) app.log.error(describeSecretProblem(found, app.config))
          isReported = found !== undefined
        },
        // An outage of the database is logged elsewhere, and the next report follows soon.
        () => {},
      )
      .finally(() => {
        running = undefined
      })
  }, everyMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      const ending = Promise.resolve(running)
        .then(() => deleteReport(app, node))
        .catch(() => {})
      // The node must be able to stop while the database is unavailable.
      await Promise.race([ending, setTimeout(maxStopMs, undefined, { ref: false })])
    },
  }
}

/**
 * Reports which seals this node can open, and then reads the state of the secret. The order matters: a
 * rotation blocks reports while it looks for nodes without the new secret. So either the rotation finds such
 * a node, or the node reads afterwards that the secret was changed.
 */
async function report(
  { db, secrets }: Pick<App, 'db' | 'secrets'>,
  node: string,
): Promise<SecretProblem | undefined> {
  const before = secrets.sealHeader
  const { openHeaders } = secrets
  await sql`
    insert into node_secret (node, opens, seals_with, seen_at)
    values (${node}, ${[...openHeaders]}::bytea[], ${before}, now())
    on conflict (node) do update
      set opens = excluded.opens, seals_with = excluded.seals_with, seen_at = excluded.seen_at`.execute(db)
  const problem = secrets.adopt(await readSecretState(db))
  return before.equals(secrets.sealHeader) ? problem : report({ db, secrets }, node)
}

async function deleteReport({ db }: App, node: string): Promise<void> {
  await sql`delete from node_secret where node = ${node}`.execute(db)
}

/** Counts the nodes that have reported within the last minute. */
export async function countRunningNodes(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from node_secret
    where seen_at > now() - make_interval(secs => ${sql.lit(nodeLifetimeSeconds)})`.execute(db)
  return Number(rows[0]?.count)
}
