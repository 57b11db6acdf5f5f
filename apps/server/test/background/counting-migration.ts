import { sql } from 'kysely'
import { backgroundMigration } from '../../src/platform/database/background/background-migration.ts'

// A background migration for tests, and a program that runs it until it is killed.

export const rowCount = 400
const batchSize = 20

export const createRows = `
  create table counted (id int primary key, times int not null default 0);
  insert into counted (id) select generate_series(1, ${rowCount})`

/** Adds 1 to every row of the table `counted`, so that a batch that runs twice shows. */
export const countingMigration = backgroundMigration<number>({
  name: '9999_count_rows',
  async countRows(db) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from counted`.execute(db)
    return rows[0]?.count ?? 0
  },
  async runBatch(tx, position) {
    const { rows } = await sql<{ id: number }>`
      update counted set times = times + 1
      where id in (select id from counted where id > ${position ?? 0} order by id limit ${batchSize})
      returning id, pg_sleep(0.002)`.execute(tx)
    const ids = rows.map(({ id }) => id)
    return { rows: ids.length, position: ids.length < batchSize ? null : Math.max(...ids) }
  },
})
