import { setTimeout } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { FailureLog } from '../../observe/log.ts'
import { Backoff } from '../../retry.ts'
import type { Db } from '../database.ts'
import type { BackgroundMigration } from './background-migration.ts'
import { insertMissing, listBackgroundProgress, updateFailure } from './queries.ts'
import { runBatch } from './run-batch.ts'

/** How long a node waits while another node runs a batch. */
const busyMs = 1_000
/** Minimum wait between two batches. */
const minPauseMs = 20

/**
 * Runs the background migrations of this release one after the other, until all are finished or `stop` is
 * called. Every node of a fleet calls it: at any time one of them runs a batch, and if it dies, another
 * continues with the next one. A batch that fails is retried with increasing waits.
 */
export function startBackgroundMigrations(
  { db, log }: Pick<App, 'db' | 'log'>,
  migrations: readonly BackgroundMigration[],
): { done: Promise<void>; stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const wait = (milliseconds: number) =>
    setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => {})
  const failures = new FailureLog(log, {
    failed: 'a background migration failed, and is tried again',
    recovered: 'background migrations work again',
  })
  const backoff = new Backoff({ firstMs: 1_000, maxMs: 300_000 })

  async function run(migration: BackgroundMigration): Promise<void> {
    while (!signal.aborted) {
      const begunAt = performance.now()
      try {
        const outcome = await runBatch(db, migration)
        failures.succeeded()
        backoff.reset()
        if (outcome === 'finished') return
        // Waiting for as long as the batch took leaves at least half of the capacity to requests.
        await wait(outcome === 'busy' ? busyMs : Math.max(minPauseMs, performance.now() - begunAt))
      } catch (err) {
        failures.failed(err, { migration: migration.name })
        await updateFailure(db, migration.name, (err as Error).message).catch(() => {})
        await wait(backoff.next())
      }
    }
  }

  async function runAll(): Promise<void> {
    for (const migration of await findUnfinished()) {
      log.info({ migration: migration.name }, 'a background migration runs')
      await run(migration)
      if (!signal.aborted) log.info({ migration: migration.name }, 'a background migration is finished')
    }
  }

  async function findUnfinished(): Promise<readonly BackgroundMigration[]> {
    while (!signal.aborted && migrations.length > 0) {
      try {
        return await listUnfinished(db, migrations)
      } catch (err) {
        failures.failed(err)
        await wait(backoff.next())
      }
    }
    return []
  }

  const done = runAll()
  return {
    done,
    async stop() {
      stopping.abort()
      await done
    },
  }
}

/** Returns the migrations that are not finished. Inserts a row for each migration that has none yet. */
async function listUnfinished(
  db: Db,
  migrations: readonly BackgroundMigration[],
): Promise<BackgroundMigration[]> {
  await insertMissing(
    db,
    migrations.map(({ name }) => name),
  )
  const progress = await listBackgroundProgress(db)
  const finished = new Set(progress.flatMap(({ name, finished_at }) => (finished_at ? [name] : [])))
  return migrations.filter(({ name }) => !finished.has(name))
}

/**
 * Runs the background migrations in this process until all are finished, without pauses. `onProgress` is
 * called after every batch. Throws the error of a batch that fails.
 */
export async function finishBackgroundMigrations(
  db: Db,
  migrations: readonly BackgroundMigration[],
  onProgress: (name: string) => Promise<void> = async () => {},
): Promise<string[]> {
  const unfinished = await listUnfinished(db, migrations)
  for (const migration of unfinished) {
    for (;;) {
      const outcome = await runBatch(db, migration)
      await onProgress(migration.name)
      if (outcome === 'finished') break
      if (outcome === 'busy') await setTimeout(busyMs)
    }
  }
  return unfinished.map(({ name }) => name)
}
