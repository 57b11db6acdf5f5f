import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  createTestDatabase,
  eventually,
  killChild,
  request,
  startChild,
  startWorld,
  type TestDatabase,
} from '@oxbow/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { loadConfig } from '../../src/platform/config/load-config.ts'
import { backgroundMigration } from '../../src/platform/database/background/background-migration.ts'
import { listBackgroundProgress } from '../../src/platform/database/background/queries.ts'
import {
  finishBackgroundMigrations,
  startBackgroundMigrations,
} from '../../src/platform/database/background/run-background.ts'
import { connectionOptions, type Database, openDatabase } from '../../src/platform/database/database.ts'
import { makeLog } from '../../src/platform/observe/log.ts'
import { countingMigration, createRows, rowCount } from './counting-migration.ts'

const program = join(import.meta.dirname, 'run-in-process.ts')
const runInProcess = (database: TestDatabase) =>
  startChild(process.execPath, [program, database.url], { stdio: 'ignore' })

const countDone = async (database: TestDatabase): Promise<number> => {
  const [progress] = await database.query<{ rows_done: string }>('select rows_done from background_migration')
  return Number(progress?.rows_done ?? 0)
}

const listCounts = (database: TestDatabase) =>
  database.query('select times, count(*)::int as rows from counted group by 1')

const { config } = loadConfig({ log_level: 'silent' }, {})
const log = makeLog(config)
const open = (database: TestDatabase): Database & AsyncDisposable => {
  const opened = openDatabase({ ...config, database_url: database.url }, () => {})
  return { ...opened, [Symbol.asyncDispose]: opened.close }
}

test('a background migration that is killed again and again changes every row once', async () => {
  await using database = await createTestDatabase()
  await database.query(createRows)
  // The migration cannot change this row while it is locked, so that it is killed in the middle.
  const holder = new pg.Client(connectionOptions(database.url))
  await holder.connect()
  await holder.query('begin; select from counted where id = 101 for update')
  for (const killAfter of [40, 100]) {
    const child = runInProcess(database)
    await eventually(async () => (await countDone(database)) >= killAfter)
    await killChild(child)
  }
  await holder.end()
  const done = await countDone(database)
  assert.ok(done >= 100 && done < rowCount, `killed after ${done} rows, which is not in the middle`)

  await using opened = open(database)
  assert.deepEqual(await finishBackgroundMigrations(opened.db, [countingMigration]), [countingMigration.name])

  assert.deepEqual(await listCounts(database), [{ times: 1, rows: rowCount }])
  assert.deepEqual(await finishBackgroundMigrations(opened.db, [countingMigration]), [])
  const [progress] = await listBackgroundProgress(opened.db)
  assert.deepEqual([progress?.rows_done, progress?.rows_total], [rowCount, rowCount])
  assert.ok(progress?.finished_at)
})

test('several nodes run a background migration together and change every row once', async () => {
  await using database = await createTestDatabase()
  await database.query(createRows)
  await using opened = open(database)
  const runs = Array.from({ length: 3 }, () =>
    startBackgroundMigrations({ ...opened, log }, [countingMigration]),
  )

  await Promise.all(runs.map(({ done }) => done))

  assert.deepEqual(await listCounts(database), [{ times: 1, rows: rowCount }])
})

test('a batch that fails is recorded with its error, undone, and tried again', async () => {
  await using database = await createTestDatabase()
  await database.query(createRows)
  await using opened = open(database)
  const failing = backgroundMigration<number>({
    ...countingMigration,
    async runBatch(tx, position) {
      const batch = await countingMigration.runBatch(tx, position)
      if (position === 100) await sql`select 1 / divisor from divisor`.execute(tx)
      return batch as { rows: number; position: number | null }
    },
  })
  await database.query('create table divisor as select 0 as divisor')
  const run = startBackgroundMigrations({ ...opened, log }, [failing])

  const [progress] = await eventually(async () => {
    const list = await listBackgroundProgress(opened.db)
    return list[0]?.failure ? list : undefined
  })
  assert.deepEqual([progress?.failure, progress?.rows_done], ['division by zero', 100])
  await database.query('update divisor set divisor = 1')
  await run.done

  assert.deepEqual(await listCounts(database), [{ times: 1, rows: rowCount }])
  assert.equal((await listBackgroundProgress(opened.db))[0]?.failure, null)
})

test('/ready shows the progress of background migrations until they are finished, and not why they fail', async () => {
  await using world = await startWorld()
  const name = '9999_x'
  await using _row = {
    [Symbol.asyncDispose]: () =>
      world.database.query('delete from background_migration where name = $1', [name]).then(() => {}),
  }
  const ask = async () => (await request(world.nodes.a.url, { path: '/ready' })).body
  assert.deepEqual(await ask(), { status: 'ready' })

  await world.database.query(
    'insert into background_migration (name, rows_done, rows_total, started_at) values ($1, 20, 80, now())',
    [name],
  )
  const unfinished = { name, rows_done: 20, rows_total: 80, is_failing: false }
  assert.deepEqual(await ask(), { status: 'ready', background_migrations: [unfinished] })

  await world.database.query(
    "update background_migration set failure = 'Key (email)=(a@b.example) exists' where name = $1",
    [name],
  )
  const failing = { ...unfinished, is_failing: true }
  assert.deepEqual(await ask(), { status: 'ready', background_migrations: [failing] })

  await world.database.query('update background_migration set finished_at = now() where name = $1', [name])
  assert.deepEqual(await ask(), { status: 'ready' })
})
