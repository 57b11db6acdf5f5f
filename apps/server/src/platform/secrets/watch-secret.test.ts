import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { eventually, startWorld } from '@oxbow/testkit'
import { sql } from 'kysely'
import { inTransaction } from '../database/transaction.ts'
import { watchSecret } from './watch-secret.ts'

test('a stopped node leaves no report behind, even if a report takes longer than its interval', async () => {
  await using world = await startWorld({ ownServer: true })
  const { app } = world.nodes.a
  const readNodes = () => world.database.query<{ node: string }>('select node from node_secret')
  const others = (await readNodes()).map(({ node }) => node)
  // The first report of the test is made at the start. The second one waits for the test.
  await world.database.query(`
    create sequence report_number;
    create function hold_second_report() returns trigger language plpgsql as $$
      begin
        if nextval('report_number') = 2 then perform pg_advisory_xact_lock(51); end if;
        return new;
      end $$;
    create trigger hold_second_report before insert on node_secret for each row
      when (new.node <> all('{${others.join()}}')) execute function hold_second_report()`)
  const isReporting = async () => {
    const reporting =
      "select from pg_stat_activity where datname = current_database() and state = 'active' and query ~ '^\\s*insert into node_secret'"
    return (await world.database.query(reporting)).length > 0
  }
  const intervalMs = 10

  const { stopping } = await inTransaction(world.nodes.b.app.db, async (tx) => {
    await sql`select pg_advisory_xact_lock(51)`.execute(tx)
    const watch = await watchSecret(app, intervalMs)
    await eventually(isReporting)
    // Reports that did not wait for the second one would be made in this time.
    await setTimeout(20 * intervalMs)
    const stopping = watch.stop()
    // A stop that did not wait for the second report would end in this time.
    await Promise.race([stopping, setTimeout(500)])
    return { stopping }
  })
  await stopping

  await eventually(async () => !(await isReporting()))
  // A stop gives up waiting after two seconds. The row is deleted soon after; a row of a later report would stay.
  await eventually(async () => (await readNodes()).every(({ node }) => others.includes(node)))
})
