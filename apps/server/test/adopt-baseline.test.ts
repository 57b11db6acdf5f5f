import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTestDatabase, eventually, type TestDatabase, unpackFiles } from '@oxbow/testkit'
import { dump, readContents, readSchema, restore, withSession } from '@oxbow/testkit/garden/database-dump'
import { baseline } from '../src/platform/database/baseline.ts'
import { compareSchema } from '../src/platform/database/compare-schema.ts'
import { listMigrations } from '../src/platform/database/list-migrations.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import {
  describeDifferences,
  findDifferences,
  readSchemaObjects,
} from '../src/platform/database/schema-objects.ts'
import { baselineOnly, createDatabaseAtBaseline } from './database-at-baseline.ts'

const folder = mkdtempSync(join(tmpdir(), 'oxbow-replaced-'))
after(() => rmSync(folder, { recursive: true }))
const path = 'apps/server/src/migrations'
const hasCommit = await unpackFiles(baseline.lastCommit, path, folder)
const replaced = hasCommit ? listMigrations(join(folder, path)) : []
const skip = hasCommit ? false : `this clone lacks the commit ${baseline.lastCommit}`

/** Creates a database with the schema of the baseline that has recorded replaced migrations only. */
async function createDatabaseBefore(newest: string = baseline.lastReplaced): Promise<TestDatabase> {
  const database = await createDatabaseAtBaseline()
  await database.query('delete from schema_migration')
  await database.query('delete from schema_requirement')
  await database.query("insert into schema_migration (name, checksum) values ('0001_first', ''), ($1, '')", [
    newest,
  ])
  return database
}

const listNames = async ({ query }: TestDatabase): Promise<string[]> => {
  const rows = await query<{ name: string }>('select name from schema_migration order by name')
  return rows.map(({ name }) => name)
}

test('a database of the replaced migrations adopts the baseline, and then equals a new database', {
  skip,
}, async () => {
  await using old = await createTestDatabase({ isEmpty: true })
  await using fresh = await createTestDatabase({ isEmpty: true })
  const functions = await migrate(old.url, replaced)

  const added = await migrate(old.url)
  await migrate(fresh.url)

  assert.deepEqual(
    added,
    listMigrations().map(({ name }) => name),
  )
  assert.deepEqual(functions.slice(0, -1), await namesBefore(old))
  assert.equal(await readSchema(old.url), await readSchema(fresh.url))
  const [contents, expected] = [await readContents(old.url), await readContents(fresh.url)]
  const isBookkeeping = (name: string) => /^schema_(migration|requirement|function)$/.test(name)
  assert.deepEqual(
    Object.keys(expected).filter((name) => contents[name] !== expected[name] && !isBookkeeping(name)),
    [],
  )
  assert.equal((await compareSchema(old.url)).state, 'same')
})

const namesBefore = async (database: TestDatabase) =>
  (await listNames(database)).filter((name) => name < baseline.name)

test('nodes of the previous release start on a database that adopted the baseline', { skip }, async () => {
  await using database = await createTestDatabase({ isEmpty: true })
  await migrate(database.url, replaced)
  await migrate(database.url)

  assert.deepEqual(await migrate(database.url, replaced), [])
})

test('nodes of the previous release are refused by a database that the baseline created', {
  skip,
}, async () => {
  await using database = await createTestDatabase()

  await assert.rejects(
    migrate(database.url, replaced),
    /This version of Oxbow is too old for the database: a newer version has applied 0058_baseline/,
  )
})

test('of nodes that start concurrently, one adopts the baseline', async () => {
  await using database = await createDatabaseBefore()

  const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(database.url)))

  assert.deepEqual(
    applied.flat(),
    listMigrations().map(({ name }) => name),
  )
  assert.deepEqual((await listNames(database)).slice(0, 3), [
    '0001_first',
    baseline.lastReplaced,
    baseline.name,
  ])
})

test('adopting the baseline waits for no transaction that reads or writes rows', async () => {
  await using database = await createDatabaseBefore()

  await withSession(database.url, async (client) => {
    await client.query('begin; lock table organization, message, event_batch in row exclusive mode')
    assert.equal((await migrate(database.url, baselineOnly))[0], baseline.name)
    await client.query('rollback')
  })
})

test('adopting the baseline is tried again while another transaction changes a table', async () => {
  await using database = await createDatabaseBefore()
  const messages: string[] = []

  await withSession(database.url, async (client) => {
    await client.query('begin; lock table message in access exclusive mode')
    const adopting = migrate(database.url, undefined, (message) => messages.push(message))
    await eventually(() => messages.length > 0)
    await client.query('rollback')
    assert.equal((await adopting)[0], baseline.name)
  })
  assert.match(messages[0] ?? '', /^The migration 0058_baseline needs a table that another transaction uses/)
})

test('a database older than the replaced migrations is refused with the commit to upgrade with first', async () => {
  await using database = await createDatabaseBefore('0056_shorten_rendered_texts')

  await assert.rejects(migrate(database.url), {
    message: `The newest migration of the database is 0056_shorten_rendered_texts, and this version needs 0057_clear_hidden_default_streams or newer.
Upgrade in two steps: install the commit ${baseline.lastCommit} of Oxbow and run "oxbow migrate" once, then install this version again.`,
  })
  assert.equal((await compareSchema(database.url)).state, 'too_old')
  assert.ok(!(await listNames(database)).includes(baseline.name))
})

/** Changes by hand, each with what the error says about it. */
const changes: Record<string, string> = {
  'alter table draft drop column topic': 'the column topic of the table draft is missing',
  'alter table draft alter topic type varchar(60)':
    'the column topic of the table draft is "character varying(60) not null at position 6" and should be "text not null at position 6"',
  'alter table message alter changed_id set default 0':
    'the column changed_id of the table message is "bigint default 0 at position 22" and should be "bigint at position 22"',
  'alter table draft add column colour text':
    'the column colour of the table draft was added: text at position 9',
  'drop table own_export': 'the table own_export is missing',
  'drop index message_topic': 'the index message_topic of the table message is missing',
  'create unique index one_draft on draft (user_id)':
    'the index one_draft of the table draft was added: CREATE UNIQUE INDEX one_draft ON draft USING btree (user_id)',
  'alter table presence drop constraint presence_check':
    'the constraint presence_check of the table presence is missing',
  "alter table stream add constraint short check (name < 'z')":
    "the constraint short of the table stream was added: CHECK (name < 'z'::text)",
  'alter table user_account disable trigger forget_presence':
    'the trigger forget_presence of the table user_account is "not enabled: CREATE TRIGGER',
  'drop trigger note_members on conversation':
    'the trigger note_members of the table conversation is missing',
  'create or replace function search_place(recipient bigint, slice bigint) returns bigint language sql immutable as $$ select slice $$':
    'the function search_place(bigint,bigint) was changed',
  'alter function forget_presence() reset search_path': 'the function forget_presence() was changed',
  'alter sequence message_id maxvalue 1000': 'the sequence message_id is',
}

test('each change by hand is described', async () => {
  await using database = await createTestDatabase()
  await withSession(database.url, async (client) => {
    const expected = await readSchemaObjects(client)
    for (const [change, line] of Object.entries(changes)) {
      await client.query(`begin; ${change}`)
      const description = describeDifferences(findDifferences(expected, await readSchemaObjects(client)))
      await client.query('rollback')
      assert.ok(
        description.split('\n').some((found) => found.startsWith(`- ${line}`)),
        `${change}: ${description}`,
      )
    }
  })
})

test('a database whose schema was changed by hand is refused with the differences, and left as it is', async () => {
  await using database = await createDatabaseBefore()
  await database.query('drop index message_topic')

  await assert.rejects(
    migrate(database.url),
    /The schema of the database is not the one that its migrations created, .*changed nothing:\n- the index message_topic of the table message is missing\nChange these objects/,
  )

  assert.ok(!(await listNames(database)).includes(baseline.name))
  assert.deepEqual(await database.query("select from pg_namespace where nspname = 'oxbow_baseline'"), [])
  await database.query(
    'create index message_topic on message (organization_id, recipient_id, folded_topic, id)',
  )
  assert.equal((await migrate(database.url))[0], baseline.name)
})

test('additions that change no row, and settings for speed, do not prevent the adoption', async () => {
  await using database = await createDatabaseBefore()
  await database.query(`
    create index faster on message (client);
    alter table message set (autovacuum_vacuum_scale_factor = 0.01);
    alter table message alter topic set statistics 500;
    create table reports (id int);
    create view message_count as select count(*) from message;
    create function report() returns int language sql as 'select 1'`)

  assert.equal((await migrate(database.url))[0], baseline.name)
})

test('a database that pg_restore created adopts the baseline', async () => {
  await using database = await createDatabaseBefore()
  await using restored = await createTestDatabase({ isEmpty: true })
  const file = join(folder, 'database.dump')
  await dump(database.url, file)
  await restore(file, restored.url)

  assert.equal((await migrate(restored.url))[0], baseline.name)
})

test('a role that may not create a schema is told what to do', async () => {
  await using database = await createDatabaseBefore()
  const role = `oxbow_reader_${process.pid}`
  await database.query(`create role ${role} login; grant all on all tables in schema public to ${role}`)
  const url = new URL(database.url)
  url.username = role
  try {
    await assert.rejects(migrate(url.href), {
      message: new RegExp(
        `the role ${role} needs the right to create a schema in the database\\.\\nRun "oxbow migrate" once with the role that owns`,
      ),
    })
  } finally {
    await database.query(`drop owned by ${role}; drop role ${role}`)
  }
})
