import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase, eventually, patientLimits, request, testSecret } from '@oxbow/testkit'
import { sealedColumns } from '../src/features.ts'
import { type Node, openApp, startNode } from '../src/node.ts'
import { rotateSecret } from '../src/operators/rotate-secret.ts'
import { createOrganization } from '../src/people/users/create-organization.ts'
import { loadConfig } from '../src/platform/config/load-config.ts'

const [second, third] = [
  'the second secret, as long as it must be',
  'the third secret, as long as it must be',
]
const before = { secret: testSecret }
const bothSecrets = { secret: second, old_secret: testSecret }
const afterwards = { secret: second }

type Secrets = { secret: string; old_secret?: string }

const database = await createTestDatabase()
const running = new Set<Node>()
after(async () => {
  for (const node of running) await node.stop()
  await database[Symbol.asyncDispose]()
})

function configWith(secrets: Secrets) {
  const usual = { port: 0, rate_limit_per_minute: 0, log_level: 'silent', database_pool_size: 4 } as const
  return loadConfig({ ...usual, ...secrets, mode: 'development', database_url: database.url }, {}).config
}

async function start(secrets: Secrets): Promise<Node> {
  const node = await startNode(configWith(secrets), {
    ...patientLimits,
    passwordCost: 'cheap',
    secretReportMs: 50,
  })
  running.add(node)
  return node
}

async function stop(node: Node): Promise<void> {
  running.delete(node)
  await node.stop()
}

/** Runs the rotation as the command does, and returns its output. */
async function rotate(secrets: Secrets, onProgress: (line: string) => void = () => {}): Promise<string> {
  const { app, close } = await openApp(configWith(secrets), patientLimits)
  const output: string[] = []
  try {
    await rotateSecret(app, (line) => {
      output.push(line)
      onProgress(line)
    })
    return output.join('\n')
  } finally {
    await close()
  }
}

const password = 'heron lake 77 reeds'
let old = await start(before)
const iris = await createOrganization(old.app, {
  name: 'The Garden',
  subdomain: '',
  owner: { email: 'iris@garden.example', full_name: 'Iris', password },
  streams: false,
})

interface Account {
  email: string
  api_key: string
}

const call = (node: Node, method: string, path: string, form: Record<string, string>, credentials: Account) =>
  request(node.url, { method, path: `/api/v1/${path}`, form, credentials })

async function signIn(node: Node, username: string): Promise<string> {
  const path = '/api/v1/fetch_api_key'
  const { body } = await request(node.url, { method: 'POST', path, form: { username, password } })
  return String(body.api_key)
}

const addUser = (node: Node, email: string) =>
  call(node, 'POST', 'users', { email, full_name: email.split('@')[0] ?? '', password }, iris)

/** Reads all data that must stay the same for clients while the secret changes. */
async function readState(node: Node): Promise<object> {
  const me = await request(node.url, { path: '/api/v1/users/me', credentials: iris })
  assert.equal(me.status, 200, me.text)
  const bots = await request(node.url, { path: '/api/v1/bots', credentials: iris })
  return { key: await signIn(node, iris.email), avatar: me.body.avatar_url, bots: bots.body.bots }
}

async function countSeals(node: Node): Promise<{ current: number; others: number }> {
  const count = { current: 0, others: 0 }
  for (const { table, column } of sealedColumns) {
    const rows = await database.query<{ sealed: Buffer }>(
      `select ${column} as sealed from ${table} where ${column} is not null`,
    )
    for (const { sealed } of rows) {
      if (sealed.subarray(0, 8).equals(node.app.secrets.sealHeader)) count.current++
      else count.others++
    }
  }
  return count
}

interface BotEvent {
  bot: { api_key: string; services: { token: string }[] }
}

let stateBefore: object
let queue: { queue_id: string; last_event_id: number }

test('rotation is refused while a node is running that does not have the new secret', async () => {
  const { body } = await call(old, 'POST', 'register', { event_types: '["realm_bot"]' }, iris)
  queue = { queue_id: String(body.queue_id), last_event_id: Number(body.last_event_id) }
  const bot = {
    full_name: 'Robin',
    short_name: 'robin',
    bot_type: '3',
    payload_url: '"https://example.com/"',
  }
  const made = await call(old, 'POST', 'bots', bot, iris)
  assert.equal(made.status, 200, made.text)
  stateBefore = await readState(old)

  const fresh = await start(bothSecrets)
  await assert.rejects(rotate(bothSecrets), /not changed: 1 node runs without the new one/)
  assert.deepEqual(await readState(fresh), stateBefore)
  const added = await addUser(fresh, 'fern@garden.example')
  assert.equal(added.status, 200, added.text)
  assert.equal(await signIn(old, 'fern@garden.example'), await signIn(fresh, 'fern@garden.example'))
  await stop(fresh)
})

test('an interrupted rotation leaves nodes with both secrets working, and can be resumed', async () => {
  const firstNode = await start(bothSecrets)
  await stop(old)
  old = await start(bothSecrets)
  const interrupt = (line: string) => {
    if (line.includes('rewritten')) throw new Error('interrupted')
  }
  await assert.rejects(rotate(bothSecrets, interrupt), /interrupted/)

  await assert.rejects(start(before), /was changed by `oxbow secret rotate`/)
  await assert.rejects(start(afterwards), /is being changed.*\n.*OXBOW_OLD_SECRET/)
  for (const node of [firstNode, old]) assert.deepEqual(await readState(node), stateBefore)
  const third = await start(bothSecrets)
  assert.equal((await addUser(third, 'moss@garden.example')).status, 200)
  assert.equal(await signIn(firstNode, 'moss@garden.example'), await signIn(old, 'moss@garden.example'))

  let isDone = false
  const asking = (async () => {
    while (!isDone) for (const node of [firstNode, old]) assert.deepEqual(await readState(node), stateBefore)
  })()
  const output = await rotate(bothSecrets)
  isDone = true
  await asking
  assert.match(output, /Going on/)
  assert.match(output, /event log: \d+ rewritten/)
  assert.match(output, /The old secret can be removed/)
  const seals = await countSeals(firstNode)
  assert.deepEqual([seals.others, seals.current >= 5], [0, true])
  await assert.rejects(rotate(bothSecrets), /sealed with this secret already/)
})

test('after the rotation a node with only the new secret reads everything, and a node with only the old one refuses to start', async () => {
  const node = await start(afterwards)
  for (const other of [...running]) if (other !== node) await stop(other)
  assert.deepEqual(await readState(node), stateBefore)
  const path = `events?queue_id=${queue.queue_id}&last_event_id=${queue.last_event_id}&dont_block=true`
  const events = await eventually(async () => {
    const { body } = await request(node.url, { path: `/api/v1/${path}`, credentials: iris })
    const got = body.events as BotEvent[] | undefined
    return got?.length ? got : undefined
  })
  const { bots } = stateBefore as { bots: { api_key: string }[] }
  assert.equal(events[0]?.bot.api_key, bots[0]?.api_key)
  assert.equal(events[0]?.bot.services[0]?.token.length, 32)
  await assert.rejects(start(before), /was changed by `oxbow secret rotate`/)
  await stop(node)
})

test('the secret can be rotated again without a running node', async () => {
  await rotate({ secret: third, old_secret: second })
  const node = await start({ secret: third })
  assert.deepEqual(await readState(node), stateBefore)
})
