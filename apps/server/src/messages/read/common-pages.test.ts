import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type NarrowTerm, type OrganizationId, Role, type UserId } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { plannedOncePrefix } from '../../platform/database/preparing-client.ts'
import { Matcher } from '../search/matcher.ts'
import type { Reader } from '../visibility.ts'
import { newestAnchor } from './anchor.ts'
import { findFirstUnread, listPage } from './list-page.ts'
import { compileNarrow } from './narrow/compile.ts'

// A separate server: plans depend on all rows of the tables.
const world = await startWorld({ ownServer: true })
const { app } = world.nodes.a
/** A single session, whose prepared statements can be listed. */
const database: Database = openDatabase({ ...app.config, database_pool_size: 1 }, () => {})
after(async () => {
  await database.close()
  await world[Symbol.asyncDispose]()
})
const { db } = database
const organization_id = world.organization_id as OrganizationId
const iris = await world.person('iris')
const otto = await world.person('otto')
const reader: Reader = { organization_id, user_id: iris.user_id as UserId, role: Role.member }
const streams = await Promise.all(
  ['garden', 'attic'].map((name) => world.stream(name, { members: [world.owner, iris, otto] })),
)
const topics = ['roses', 'frost']
const messagesPerTopic = 5_000

/** Inserts messages that are old enough for pages to be few of many, and statistics of them. */
async function fill(): Promise<void> {
  for (const { stream_id } of streams)
    await sql`
      insert into message (organization_id, id, sent_recipient_id, recipient_id, arrived_id, outbox_id, sender_id, sent_at,
        is_private, mentions_wildcard, has_link, has_image, has_attachment, client, topic, folded_topic, content,
        rendered_content)
      select ${organization_id}, id, ${stream_id}::bigint, ${stream_id}::bigint, id, 1, ${otto.user_id}::bigint, now(), false,
        false, false, false, false, '', topic, topic, '', ''
      from (
        select nextval('message_id') as id, topic
        from generate_series(1, ${messagesPerTopic}::int) cross join unnest(${topics}::text[]) as topic
      ) as drawn`.execute(app.db)
  await sql`vacuum analyze`.execute(app.db)
}

const term = (operator: string, operand: NarrowTerm['operand'], negated = false): NarrowTerm => ({
  operator,
  operand,
  negated,
})

const forms: Record<string, (index: number) => NarrowTerm[]> = {
  everything: () => [],
  'a stream': (index) => [term('stream', streams[index % 2]?.stream_id ?? 0)],
  'a topic': (index) => [
    term('stream', streams[index % 2]?.stream_id ?? 0),
    term('topic', topics[index % 2] ?? ''),
  ],
  'private messages with a person': (index) => [
    term('pm-with', [[otto, world.owner][index % 2]?.user_id ?? 0]),
  ],
  mentions: () => [term('is', 'mentioned')],
  'private messages': () => [term('is', 'private')],
  'starred messages': () => [term('is', 'starred')],
  'the home view': () => [term('in', 'home')],
}

interface PlannedStatement {
  name: string
  statement: string
  generic_plans: number
  custom_plans: number
}

async function listPlanned(): Promise<PlannedStatement[]> {
  const { rows } = await sql<PlannedStatement>`
    select name, statement, generic_plans::int, custom_plans::int from pg_prepared_statements
    where starts_with(statement, ${plannedOncePrefix})`.execute(db)
  return rows
}

async function readPages(terms: (index: number) => NarrowTerm[], pages: number): Promise<void> {
  for (let index = 0; index < pages; index++) {
    const narrow = await compileNarrow(app, db, reader, terms(index))
    await listPage(db, reader, narrow, { anchor: newestAnchor - index, before: 40 + index, after: 0 }, 'html')
  }
}

/** Runs `work`, and returns the statements that were planned for it. */
async function listNewPlans(work: () => Promise<unknown>): Promise<PlannedStatement[]> {
  const before = new Set((await listPlanned()).map(({ name }) => name))
  await work()
  return (await listPlanned()).filter(({ name }) => !before.has(name))
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  Plans?: Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Lists how the plan of a prepared statement, which does not depend on values, reads messages. */
async function listMessageScans({ name }: PlannedStatement): Promise<string[]> {
  const { rows } = await db.transaction().execute(async (tx) => {
    await sql`set local plan_cache_mode = force_generic_plan`.execute(tx)
    const { rows: parameters } = await sql<{ count: number }>`
      select cardinality(parameter_types) as count from pg_prepared_statements where name = ${name}`.execute(
      tx,
    )
    const nulls = Array.from({ length: parameters[0]?.count ?? 0 }, () => 'null').join()
    return sql<{
      'QUERY PLAN': [{ Plan: Plan }]
    }>`${sql.raw(`explain (format json) execute ${name}(${nulls})`)}`.execute(tx)
  })
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  assert.ok(plan)
  return nodesOf(plan).flatMap((node) => (node['Relation Name'] === 'message' ? [node['Node Type']] : []))
}

test('each common form of page is planned once for a session, for all values and sizes, and uses indexes', async () => {
  await fill()
  for (const [name, terms] of Object.entries(forms)) {
    const plans = await listNewPlans(() => readPages(terms, 8))
    assert.equal(plans.length, 1, name)
    const [{ generic_plans, custom_plans }] = plans as [PlannedStatement]
    assert.deepEqual({ generic_plans, custom_plans }, { generic_plans: 8, custom_plans: 0 }, name)
    const scans = await listMessageScans(plans[0] as PlannedStatement)
    assert.ok(scans.length > 0, name)
    for (const scan of scans) assert.ok(['Index Scan', 'Index Only Scan'].includes(scan), `${name}: ${scan}`)
  }
})

test('the first unread message of a common form is found with one plan', async () => {
  for (const [name, terms] of Object.entries(forms)) {
    const plans = await listNewPlans(async () => {
      for (let index = 0; index < 3; index++)
        await findFirstUnread(
          db,
          reader,
          await compileNarrow(app, db, reader, terms(index)),
          undefined,
          new Matcher(),
        )
    })
    assert.equal(plans.length, 1, name)
  }
})

test('rare forms, and pages that are larger than usual, are planned for each use', async () => {
  const garden = term('stream', streams[0]?.stream_id ?? 0)
  const plans = await listNewPlans(async () => {
    for (const terms of [
      [garden, term('sender', otto.user_id)],
      [{ ...garden, negated: true }],
      [garden, term('topic', 'roses'), term('has', 'link')],
    ])
      await readPages(() => terms, 1)
    const narrow = await compileNarrow(app, db, reader, [garden])
    await listPage(db, reader, narrow, { anchor: newestAnchor, before: 1_000, after: 0 }, 'html')
  })
  assert.deepEqual(plans, [])
})

test('a page with a common size has as many messages as requested, on both sides of the anchor', async () => {
  const narrow = await compileNarrow(app, db, reader, forms['a topic']?.(0) ?? [])
  const all = await listPage(db, reader, narrow, { anchor: 0, before: 0, after: 200 }, 'html')
  const anchor = all.messages[99]?.id ?? 0
  for (const [before, after] of [
    [3, 7],
    [50, 0],
    [0, 51],
    [60, 20],
  ] as const) {
    const { messages } = await listPage(db, reader, narrow, { anchor, before, after }, 'html')
    const expected = all.messages.slice(99 - before, 100 + after)
    assert.deepEqual(
      messages.map(({ id }) => id),
      expected.map(({ id }) => id),
    )
  }
})
