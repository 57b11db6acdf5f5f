import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { copyPostgres18, eventually, startPostgresServer } from '@oxbow/testkit'
import { dump, readContents, readSchema, restore, withSession } from '@oxbow/testkit/garden/database-dump'
import { createGardenOrganization, startNodeOn } from '@oxbow/testkit/garden/garden'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-dump-'))
const postgres = await startPostgresServer({ database: 'oxbow' })
after(async () => {
  await postgres[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})
const file = join(directory, 'oxbow.dump')
const original = postgres.url('oxbow')
await withSession(postgres.url('postgres'), async (client) => {
  await client.query("alter system set autovacuum_naptime = '1s'")
  await client.query('alter system set autovacuum_analyze_threshold = 0')
  await client.query('alter system set autovacuum_analyze_scale_factor = 0')
  await client.query('select pg_reload_conf()')
})

const garden = await (async () => {
  await using started = await startNodeOn(original)
  return await createGardenOrganization(started)
})()
await dump(original, file)
const contents = await readContents(original)

test('autovacuum analyzes every table that has rows', async () => {
  const remaining = `
    select c.oid::regclass::text as name, s.n_mod_since_analyze, s.last_autoanalyze from pg_class c
    join pg_stat_user_tables s on s.relid = c.oid
    where c.relkind = 'r' and c.reltuples <> 0 and coalesce(c.reloptions::text, '') !~ 'analyze_threshold'
      and (s.n_live_tup > 0 or s.n_mod_since_analyze > 0) and s.last_autoanalyze is null`
  await withSession(original, async (client) => {
    let waiting: unknown[] = []
    await eventually(async () => {
      waiting = (await client.query(remaining)).rows
      return waiting.length === 0
    }).catch(() => assert.deepEqual(waiting, []))
    const { rows } = await client.query("select from pg_stats where tablename = 'message'")
    assert.ok(rows.length > 0, 'the planner has statistics of messages')
  })
})

test('a dump is restored in one transaction and gives the same schema and rows', async () => {
  const copy = postgres.url('restored')
  await withSession(postgres.url('postgres'), (client) => client.query('create database restored'))

  await restore(file, copy)

  assert.equal(await readSchema(copy), await readSchema(original))
  assert.deepEqual(await readContents(copy), contents)
})

test('triggers work in a session without a search_path, like that of pg_restore --data-only', async () => {
  await withSession(original, async (client) => {
    await client.query("begin; set local search_path = ''")
    await client.query(`
      insert into public.conversation (organization_id, members, members_digest)
      select organization_id, array[id], 'x' from public.user_account limit 1`)
    await client.query('update public.user_account set is_active = false')
    await client.query('rollback')
  })
})

test('every function that an index, constraint, default or trigger calls sets its own search_path', async () => {
  const { rows } = await withSession(original, (client) =>
    client.query(`
      select distinct p.proname, p.proconfig from pg_depend d
      join pg_proc p on d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid
      where p.pronamespace = 'public'::regnamespace and d.classid in
        ('pg_class'::regclass, 'pg_constraint'::regclass, 'pg_attrdef'::regclass, 'pg_trigger'::regclass)`),
  )
  assert.ok(rows.length >= 3, `${rows.length} such functions`)
  assert.deepEqual(
    rows.filter(({ proconfig }) => !String(proconfig).includes('search_path=')),
    [],
  )
})

const isPackaged = process.platform === 'linux' && process.arch === 'x64'
test('the dump is restored into PostgreSQL 18, and a node serves it', {
  skip: !isPackaged && 'PostgreSQL 18 is not installed',
}, async () => {
  using binaries = copyPostgres18()
  assert.ok(binaries, 'the package with PostgreSQL 18 is installed')
  await using newer = await startPostgresServer({ bin: binaries.bin })
  const url = newer.url('oxbow')
  await withSession(newer.url('postgres'), (client) => client.query('create database oxbow'))

  await restore(file, url)

  assert.deepEqual(await readContents(url), contents)
  await using started = await startNodeOn(url)
  const iris = started.as(garden.iris)
  const narrow = [{ operator: 'search', operand: 'pruned' }]
  const { messages } = await iris.messages.list({ anchor: 'newest', num_before: 100, num_after: 0, narrow })
  assert.equal(messages.length, 20)
})
