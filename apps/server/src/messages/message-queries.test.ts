import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { type OrganizationId, Role, type StreamId } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { type RawBuilder, sql } from 'kysely'
import { inTransaction } from '../platform/database/transaction.ts'
import { buildMarkStreamRead, markStreamReadToHorizon } from './flags/mark-to-horizon.ts'
import { selectIds } from './read/index-walk.ts'
import type { Narrow } from './read/narrow/narrow.ts'
import { selectCandidateIds, selectUnreadElsewhere, selectUnreadWhereSent } from './unread/selections.ts'
import { isReadable, isReceived, isUnread, joinOwn, type Reader } from './visibility.ts'

// A separate database: the rows of the examples have fixed ids, and query plans depend on all
// rows of the tables.
const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const { db } = world.nodes.a.app
const organization_id = world.organization_id as OrganizationId
const iris = await world.person('iris')
const reader: Reader = { organization_id, user_id: iris.user_id, role: Role.member }

type Row = Record<string, string>

/** Returns the rows of the first table that follows `words` in message-queries.md. */
function readTable(words: string): Row[] {
  const page = readFileSync(new URL('message-queries.md', import.meta.url), 'utf8')
  const start = page.indexOf(words)
  assert.notEqual(start, -1, `the page has no ${words}`)
  const [table = ''] = /(?:\n\|.*)+/.exec(page.slice(start)) ?? []
  const split = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const [names = [], , ...rows] = table.trim().split('\n').map(split)
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])))
}

const idOf = new Map<string, number>()
const toText = (row: object): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]))
const toNull = (cell: string | undefined) => (cell === '' ? null : cell)

async function select(statement: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<object>`${statement}`.execute(db)
  return rows.map(toText)
}

before(async () => {
  const members = [world.owner, iris]
  for (const name of ['garden', 'attic', 'cellar']) {
    const privacy = name === 'garden' ? {} : { invite_only: true, history_public_to_subscribers: true }
    const { stream_id } = await world.stream(name, { ...privacy, members })
    idOf.set(name, stream_id)
  }
  await iris.subscriptions.unsubscribe({ subscriptions: ['cellar'] })
  const ownRows = sql`organization_id = ${organization_id} and user_id = ${iris.user_id}`
  for (const { stream = '', from_message_id, to_message_id } of readTable('Table `subscription_period`'))
    await sql`update subscription_period set from_message_id = ${from_message_id}, to_message_id = ${toNull(to_message_id)}
      where ${ownRows} and stream_id = ${idOf.get(stream)}`.execute(db)
  for (const { stream = '', is_active, read_to } of readTable('Table `subscription`'))
    await sql`update subscription set is_active = ${is_active}, read_to = ${read_to}
      where ${ownRows} and stream_id = ${idOf.get(stream)}`.execute(db)
  for (const { id, sent_recipient = '', recipient = '', arrived_id, changed_id } of readTable(
    'Table `message`',
  ))
    await insertMessages(sql`select ${id}::bigint as id, ${idOf.get(sent_recipient)}::bigint as sent_to,
      ${idOf.get(recipient)}::bigint as place, ${arrived_id}::bigint as arrived_id, ${toNull(changed_id)}::bigint as changed_id`)
  for (const { stream = '', message_id, is_read } of readTable('Table `read_mark`'))
    await sql`insert into read_mark values
      (${organization_id}, ${iris.user_id}, ${idOf.get(stream)}, ${message_id}, ${is_read})`.execute(db)
  for (const { message_id, stream = '', from_id, to_id } of readTable('Table `message_stay`'))
    await sql`insert into message_stay values
      (${organization_id}, ${message_id}, ${idOf.get(stream)}, ${from_id}, ${to_id})`.execute(db)
  await sql`update user_setting set read_to = 0 where ${ownRows}`.execute(db)
})

async function insertMessages(rows: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into message (organization_id, id, sent_recipient_id, recipient_id, arrived_id, changed_id, outbox_id,
      sender_id, sent_at, is_private, mentions_wildcard, has_link, has_image, has_attachment, client, topic,
      folded_topic, content, rendered_content)
    select ${organization_id}, id, sent_to, place, arrived_id, changed_id, id, ${world.owner.user_id}, now(), false,
      false, false, false, false, '', 'roses', 'roses', '', ''
    from (${rows}) as given`.execute(db)
}

const noNarrow: Narrow = { conditions: [], includesHistory: false, indexHints: {}, searches: [], search: {} }
const selectVisibility = sql`
  select m.id, ${isReceived(reader)} as is_received, ${isReadable(reader)} as is_readable, ${isUnread(reader)} as is_unread
  from message m ${joinOwn(reader)} where m.organization_id = ${organization_id}`

test('visibility.ts returns the rows of its worked example', async () => {
  const expected = readTable('Result of `isReceived`')
  assert.equal(expected.length, readTable('Table `message`').length)
  assert.deepEqual(await select(sql`${selectVisibility} order by m.id`), expected)
})

test('index-walk.ts returns the rows of its worked example', async () => {
  const page = selectIds(reader, noNarrow, { from: 185, to: 'older', limit: 2 })
  assert.deepEqual(await select(page), readTable('Result of `selectIds`'))
})

const unreadSelections = {
  selectCandidateIds: selectCandidateIds(reader),
  selectUnreadWhereSent: selectUnreadWhereSent(reader, sql`m.id`),
  selectUnreadElsewhere: selectUnreadElsewhere(reader, sql`m.id`),
}

test('selections.ts returns the rows of its worked examples', async () => {
  for (const [name, selection] of Object.entries(unreadSelections))
    assert.deepEqual(
      await select(sql`select id from (${selection}) as found order by id`),
      readTable(`Result of \`${name}\``),
      name,
    )
})

const rollback = new Error('rolled back')

test('mark-to-horizon.ts leaves the rows of its worked example', async () => {
  const garden = idOf.get('garden') as StreamId
  const ownRows = sql`own.organization_id = ${organization_id} and own.user_id = ${iris.user_id}`
  await assert.rejects(
    inTransaction(db, async (tx) => {
      await markStreamReadToHorizon(tx, reader, { readTo: 0, settledTo: 175 }, garden, [110, 170])
      const marks = await sql<object>`
        select s.name as stream, own.message_id, own.is_read from read_mark own
        join stream s on s.organization_id = own.organization_id and s.id = own.stream_id
        where ${ownRows} order by own.message_id`.execute(tx)
      assert.deepEqual(marks.rows.map(toText), readTable('Result in `read_mark`'))
      const positions = await sql<object>`
        select s.name as stream, own.read_to from subscription own
        join stream s on s.organization_id = own.organization_id and s.id = own.stream_id
        where ${ownRows} order by s.name`.execute(tx)
      assert.deepEqual(positions.rows.map(toText), readTable('Result in `subscription`'))
      throw rollback
    }),
    rollback,
  )
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Returns the nodes of the plan as texts like `Index Scan message_sent` or `Seq Scan stream`. */
async function explain(statement: RawBuilder<unknown>): Promise<Set<string>> {
  const { rows } = await inTransaction(db, async (tx) => {
    // PostgreSQL would scan the small tables of a test sequentially. With this setting it does so
    // only if no index fits.
    await sql`set local enable_seqscan = off`.execute(tx)
    await sql`set local enable_bitmapscan = off`.execute(tx)
    return sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`explain (format json) ${statement}`.execute(tx)
  })
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  assert.ok(plan)
  return new Set(
    nodesOf(plan).flatMap((node) => {
      const read = node['Index Name'] ?? node['Relation Name']
      return read ? [`${node['Node Type']} ${read}`] : []
    }),
  )
}

test('each query uses its indexes if streams have many messages', async () => {
  for (const [name, first] of [
    ['garden', 1_000],
    ['attic', 100_000],
  ] as const)
    await insertMessages(sql`
      select ${first} + number as id, ${idOf.get(name)}::bigint as sent_to, ${idOf.get(name)}::bigint as place,
        ${first} + number as arrived_id, null::bigint as changed_id
      from generate_series(1, 20000) as number`)
  await sql`vacuum analyze`.execute(db)
  const garden = idOf.get('garden') as StreamId
  const expected: [name: string, statement: RawBuilder<unknown>, nodes: string[]][] = [
    [
      'visibility.ts',
      sql`${selectVisibility} and m.id = 1500`,
      ['Index Scan message_pkey', 'Index Scan stream_pkey', 'Index Scan read_mark_pkey'],
    ],
    [
      'index-walk.ts',
      selectIds(reader, noNarrow, { from: 1_000_000, to: 'older', limit: 100 }),
      ['Index Only Scan message_sent'],
    ],
    [
      'selectCandidateIds',
      unreadSelections.selectCandidateIds,
      ['Index Only Scan message_sent', 'Index Scan read_mark_pkey', 'Index Only Scan user_message_unread'],
    ],
    ['selectUnreadWhereSent', unreadSelections.selectUnreadWhereSent, ['Index Scan message_sent']],
    [
      'selectUnreadElsewhere',
      unreadSelections.selectUnreadElsewhere,
      [
        'Index Only Scan read_mark_unread',
        'Index Scan message_moved_to',
        'Index Only Scan user_message_unread',
      ],
    ],
    [
      'mark-to-horizon.ts',
      buildMarkStreamRead(reader, { readTo: 0, settledTo: 20_000 }, garden, [110]),
      ['Index Scan message_moved_from'],
    ],
  ]
  const problems: string[] = []
  for (const [name, statement, nodes] of expected) {
    const planned = [...(await explain(statement))]
    const isScanned = (node: string) => /^(Seq|Bitmap).* (message|user_message|read_mark)$/.test(node)
    const missing = nodes.filter((node) => !planned.includes(node))
    if (missing.length > 0 || planned.some(isScanned))
      problems.push(`${name} has no ${missing.join(', ')}: ${planned.join(', ')}`)
  }
  assert.deepEqual(problems, [])
})
