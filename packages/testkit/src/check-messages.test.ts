import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { checkMessages, type MessageCheck } from './check-messages.ts'
import { createTestDatabase, type TestDatabase } from './databases.ts'
import type { LedgerClient, LedgerEntry } from './ledger-client.ts'
import type { QueueCut } from './queue-cuts.ts'
import { SendBook } from './send-book.ts'
import type { Acknowledgement, Send } from './senders.ts'

let database: TestDatabase

const messages = [
  { id: 11, content: 'one' },
  { id: 12, content: 'two' },
  { id: 13, content: 'double' },
  { id: 14, content: 'double' },
  { id: 15, content: 'untold' },
]
/** Another order than that of the ids; transaction 100 + n wrote number n. */
const log = [messages[1], messages[0], messages[2], messages[3], { id: 99, content: 'untrue' }]

before(async () => {
  database = await createTestDatabase()
  await database.query(
    `insert into message select 1, m.id, 4, 4, m.id, 1, 7, now(), null, false, false, false, false, false, '', '', '', m.content, ''
     from unnest($1::bigint[], $2::text[]) as m (id, content)`,
    [messages.map(({ id }) => id), messages.map(({ content }) => content)],
  )
  const records = log.map((message, index) => {
    const event = { type: 'message', message }
    return [101 + index, 1001 + index, 1, { type: 'message', to: { stream: 4 } }, JSON.stringify(event)]
  })
  await database.query('create table event_batch_1 partition of event_batch for values in (1)')
  const insert = 'insert into event_batch values (1, 1, $1, $2, $3)'
  await database.query(insert, [1, 5, JSON.stringify(records)])
  await database.query(insert, [6, 7, null])
  await database.query(
    "insert into organization (id, name, subdomain) overriding system value values (1, 'A', '')",
  )
  await database.query(`insert into user_account (organization_id, id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
    overriding system value values (1, 7, 'a@b.example', 'A B', 400, 'x', 'x')`)
  await database.query('insert into subscription_period values (1, 7, 4, 1002, null, 1, null)')
})
after(() => database[Symbol.asyncDispose]())

const account = (user_id: number) => ({ user_id, email: '', api_key: '' })
const recipient = { form: { to: '4' }, members: [account(7)], onlookers: [account(8)] }
const told = (id: number, at = 100): Acknowledgement => ({ id, askedAt: at, answeredAt: at })

const send = (content: string, ...acknowledgements: Acknowledgement[]): Send => ({
  recipient,
  sender: account(7),
  key: content,
  content,
  attempts: 1,
  acknowledgements,
})

const entry = (number: number, message = log[number - 1]): LedgerEntry => ({
  id: number,
  body: JSON.stringify({ type: 'message', message }),
})

interface Given {
  sends: Send[]
  entries: LedgerEntry[]
  user?: number
  all_public_streams?: boolean
  isDead?: boolean
}

async function check(book: SendBook, given: Given): Promise<Partial<MessageCheck>> {
  const { sends, entries, user = 7, all_public_streams = false, isDead = false } = given
  book.sends.push(...sends)
  const section = { queue_id: 'q', after: 0, entries, isDead }
  const cut: QueueCut = {
    id: 'q',
    user_id: user,
    cut_seq: 0,
    cut_snapshot: '1:1:',
    event_types: null,
    all_public_streams,
  }
  const clients = [{ sections: [section] } as unknown as LedgerClient]
  const { check: found } = await checkMessages(database.query, book, clients, new Map([['q', cut]]), 7)
  const { sends: count, attempts, acknowledged, deliveries, ...flaws } = found
  return Object.fromEntries(Object.entries(flaws).filter(([, times]) => times !== 0))
}

const [one, two] = [send('one', told(11)), send('two', told(12))]
const both = [one, two]
const inOrder = [entry(1), entry(2)]
const moving: Send = { ...two, recipient: { ...recipient, isComingAndGoing: true } }

const cases: [string, Given, Partial<MessageCheck>][] = [
  ['what is whole', { sends: both, entries: inOrder }, {}],
  ['that nobody was told', { sends: [send('none')], entries: [] }, { unacknowledged: 1 }],
  ['what was lost', { sends: [send('none', told(10))], entries: [] }, { lost: 1 }],
  ['what was lost with the tail', { sends: [send('none', told(10, 50))], entries: [] }, { lostWithTail: 1 }],
  [
    'what is there twice',
    { sends: [send('double', told(13))], entries: [3, 4].map((n) => entry(n)) },
    { doubled: 1 },
  ],
  ['another id', { sends: [send('one', told(12))], entries: [entry(2)] }, { renumbered: 1 }],
  ['two ids', { sends: [send('one', told(11), told(12))], entries: [entry(2)] }, { renumbered: 1 }],
  ['an id of the lost database', { sends: [send('one', told(10, 50), told(11))], entries: [entry(2)] }, {}],
  ['what has no record', { sends: [send('untold', told(15))], entries: [] }, { untold: 1 }],
  ['a record of nothing', { sends: [send('untrue')], entries: [entry(5)] }, { unacknowledged: 1, untold: 1 }],
  ['what someone did not see', { sends: both, entries: [entry(1)] }, { missing: 1 }],
  ['what someone saw twice', { sends: both, entries: [...inOrder, entry(2)] }, { twice: 1 }],
  ['another order', { sends: both, entries: inOrder.toReversed() }, { disorder: 1 }],
  [
    'what the log does not have',
    { sends: [...both, send('none')], entries: [...inOrder, entry(5, { id: 9, content: 'none' })] },
    { unacknowledged: 1, uncalledFor: 1 },
  ],
  ['what is for others', { sends: both, entries: inOrder, user: 9 }, { uncalledFor: 2 }],
  ['that onlookers may follow', { sends: both, entries: inOrder, user: 8, all_public_streams: true }, {}],
  ['that they need not', { sends: both, entries: inOrder, user: 8 }, { uncalledFor: 2 }],
  ['who had not come yet', { sends: [one, moving], entries: [entry(2)] }, {}],
  ['who saw it too early', { sends: [one, moving], entries: inOrder }, { uncalledFor: 1 }],
  [
    'that nobody cares what the lost database said',
    { sends: both, entries: [...inOrder, entry(6, messages[0])], isDead: true },
    {},
  ],
]

for (const [name, given, expected] of cases) {
  test(`a check tells ${name}`, async () => {
    const book = new SendBook()
    book.losses.push({ from: 40, to: 60 })
    assert.deepEqual(await check(book, given), expected)
  })
}

test('a check tells that readers saw different messages under one number', async () => {
  const section = { queue_id: 'q', after: 0, entries: [...inOrder, entry(6, messages[0])], isDead: true }
  const other = { ...section, entries: [...inOrder, entry(6, messages[1])] }
  const cut = {
    id: 'q',
    user_id: 7,
    cut_seq: 0,
    cut_snapshot: '1:1:',
    event_types: null,
    all_public_streams: false,
  }
  const book = new SendBook()
  book.sends.push(one, two)
  const clients = [{ sections: [section, other] } as unknown as LedgerClient]
  const { check: found } = await checkMessages(database.query, book, clients, new Map([['q', cut]]), 7)
  assert.equal(found.disorder, 1)
})

test('a check tells what became of messages that were checked before', async () => {
  const book = new SendBook()
  assert.deepEqual(await check(book, { sends: [one], entries: [entry(2)] }), {})
  await database.query(`insert into message select organization_id, 20, 4, 4, 20, 1, 7, now(), null, false, false, false, false,
    false, '', '', '', content, '' from message where id = 11`)
  assert.deepEqual(await check(book, { sends: [], entries: [] }), { doubled: 1 })
  await database.query('delete from message where id = 20')
  assert.deepEqual(await check(book, { sends: [], entries: [] }), { lost: 1 })
})
