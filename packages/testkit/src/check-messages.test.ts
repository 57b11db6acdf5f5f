import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { checkMessages, type MessageCheck } from './check-messages.ts'
import { createTestDatabase, type TestDatabase } from './databases.ts'
import type { LedgerClient, LedgerEntry } from './ledger-client.ts'
import type { QueueCut } from './queue-cuts.ts'
import { SendHistory } from './send-history.ts'
import type { Acknowledgement, Send } from './senders.ts'

let database: TestDatabase

const messages = [
  { id: 11, content: 'one' },
  { id: 12, content: 'two' },
  { id: 13, content: 'double' },
  { id: 14, content: 'double' },
  { id: 15, content: 'not logged' },
]
/** Messages in the log, not in the order of their ids. Transaction 100 + n wrote event n. */
const log = [messages[1], messages[0], messages[2], messages[3], { id: 99, content: 'not stored' }]

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
const acknowledge = (id: number, at = 100): Acknowledgement => ({ id, askedAt: at, respondedAt: at })

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

interface CheckInput {
  sends: Send[]
  entries: LedgerEntry[]
  user?: number
  all_public_streams?: boolean
  isDead?: boolean
}

async function check(history: SendHistory, params: CheckInput): Promise<Partial<MessageCheck>> {
  const { sends, entries, user = 7, all_public_streams = false, isDead = false } = params
  history.sends.push(...sends)
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
  const { check: found } = await checkMessages(database.query, history, clients, new Map([['q', cut]]), 7)
  const { sends: count, attempts, acknowledged, deliveries, ...flaws } = found
  return Object.fromEntries(Object.entries(flaws).filter(([, times]) => times !== 0))
}

const [one, two] = [send('one', acknowledge(11)), send('two', acknowledge(12))]
const both = [one, two]
const inOrder = [entry(1), entry(2)]
const moving: Send = { ...two, recipient: { ...recipient, hasChangingMembers: true } }

const cases: [string, CheckInput, Partial<MessageCheck>][] = [
  ['reports no flaw where every message arrived once', { sends: both, entries: inOrder }, {}],
  [
    'reports a send that was never acknowledged',
    { sends: [send('none')], entries: [] },
    { unacknowledged: 1 },
  ],
  [
    'reports an acknowledged message that was lost',
    { sends: [send('none', acknowledge(10))], entries: [] },
    { lost: 1 },
  ],
  [
    'counts a message that a failover may have lost separately',
    { sends: [send('none', acknowledge(10, 50))], entries: [] },
    { lostInFailover: 1 },
  ],
  [
    'reports a message that was stored twice',
    { sends: [send('double', acknowledge(13))], entries: [3, 4].map((n) => entry(n)) },
    { storedTwice: 1 },
  ],
  [
    'reports an acknowledgement with the id of another message',
    { sends: [send('one', acknowledge(12))], entries: [entry(2)] },
    { renumbered: 1 },
  ],
  [
    'reports acknowledgements with two different ids',
    { sends: [send('one', acknowledge(11), acknowledge(12))], entries: [entry(2)] },
    { renumbered: 1 },
  ],
  [
    'accepts an id that a lost database acknowledged',
    { sends: [send('one', acknowledge(10, 50), acknowledge(11))], entries: [entry(2)] },
    {},
  ],
  [
    'reports a message without a record',
    { sends: [send('not logged', acknowledge(15))], entries: [] },
    { logMismatches: 1 },
  ],
  [
    'reports a record without a message',
    { sends: [send('not stored')], entries: [entry(5)] },
    { unacknowledged: 1, logMismatches: 1 },
  ],
  ['reports a message that a reader did not receive', { sends: both, entries: [entry(1)] }, { missing: 1 }],
  [
    'reports a message that a reader received twice',
    { sends: both, entries: [...inOrder, entry(2)] },
    { deliveredTwice: 1 },
  ],
  [
    'reports messages in another order than the log',
    { sends: both, entries: inOrder.toReversed() },
    { disorder: 1 },
  ],
  [
    'reports a message that the log does not have',
    { sends: [...both, send('none')], entries: [...inOrder, entry(5, { id: 9, content: 'none' })] },
    { unacknowledged: 1, unexpected: 1 },
  ],
  ['reports messages that are for others', { sends: both, entries: inOrder, user: 9 }, { unexpected: 2 }],
  [
    'accepts messages of public streams in queues that ask for them',
    { sends: both, entries: inOrder, user: 8, all_public_streams: true },
    {},
  ],
  [
    'reports messages of public streams in other queues',
    { sends: both, entries: inOrder, user: 8 },
    { unexpected: 2 },
  ],
  ['expects no message from before the reader joined', { sends: [one, moving], entries: [entry(2)] }, {}],
  [
    'reports a message from before the reader joined',
    { sends: [one, moving], entries: inOrder },
    { unexpected: 1 },
  ],
  [
    'ignores events of a lost database in a dead queue',
    { sends: both, entries: [...inOrder, entry(6, messages[0])], isDead: true },
    {},
  ],
]

for (const [name, params, expected] of cases) {
  test(`the message check ${name}`, async () => {
    const history = new SendHistory()
    history.losses.push({ from: 40, to: 60 })
    assert.deepEqual(await check(history, params), expected)
  })
}

test('checkMessages reports readers who received different messages with the same event number', async () => {
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
  const history = new SendHistory()
  history.sends.push(one, two)
  const clients = [{ sections: [section, other] } as unknown as LedgerClient]
  const { check: found } = await checkMessages(database.query, history, clients, new Map([['q', cut]]), 7)
  assert.equal(found.disorder, 1)
})

test('checkMessages reports later changes of messages that were checked before', async () => {
  const history = new SendHistory()
  assert.deepEqual(await check(history, { sends: [one], entries: [entry(2)] }), {})
  await database.query(`insert into message select organization_id, 20, 4, 4, 20, 1, 7, now(), null, false, false, false, false,
    false, '', '', '', content, '' from message where id = 11`)
  assert.deepEqual(await check(history, { sends: [], entries: [] }), { storedTwice: 1 })
  await database.query('delete from message where id = 20')
  assert.deepEqual(await check(history, { sends: [], entries: [] }), { lost: 1 })
})
