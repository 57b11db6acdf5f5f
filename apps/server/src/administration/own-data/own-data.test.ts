import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { basic, type NodeName, type Person, request, startWorld, type World } from '@oxbow/testkit'

const path = '/api/v1/users/me/export'

interface Exported extends Disposable {
  files: string[]
  read(name: string): string
  messages: Record<string, unknown>[]
}

/** Downloads the person's data and unpacks the archive with the program tar. */
async function exportOf({ nodes }: World, person: Person, node: NodeName = 'a'): Promise<Exported> {
  const response = await fetch(`${nodes[node].url}${path}`, { headers: { authorization: basic(person) } })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/x-tar')
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-own-data-'))
  writeFileSync(join(directory, 'archive.tar'), Buffer.from(await response.arrayBuffer()))
  execFileSync('tar', ['--extract', '--file', 'archive.tar'], { cwd: directory })
  rmSync(join(directory, 'archive.tar'))
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = (name: string) => readFileSync(join(directory, name), 'utf8')
  const names = files.map((file) => file.slice(directory.length + 1)).sort()
  const messages = names
    .filter((name) => name.startsWith('messages/'))
    .flatMap((name) => read(name).trim().split('\n'))
    .map((line) => JSON.parse(line))
  return { files: names, read, messages, [Symbol.dispose]: () => rmSync(directory, { recursive: true }) }
}

test('an own-data export has the profile, own messages with earlier texts and uploads, and no data of others', async () => {
  await using world = await startWorld()
  const [iris, otto] = await world.people('iris', 'otto')
  const garden = await world.stream('garden', { members: [iris, otto] })
  const to = garden.stream_id
  const send = (by: Person, content: string) =>
    by.messages.send({ type: 'stream', to, topic: 'roses', content })
  const { body } = await request(world.nodes.a.url, {
    method: 'POST',
    path: '/api/v1/user_uploads',
    credentials: iris,
    files: { 'list of roses.txt': Buffer.from('many roses') },
  })
  const { id } = await send(iris, `see [this](${body.uri})`)
  await iris.messages.edit({ message_id: id, content: `look at [this](${body.uri})` })
  for (let number = 0; number < 250; number++)
    await world.database.query(
      `insert into message select (m).* from (
         select jsonb_populate_record(message, jsonb_build_object('id', nextval('message_id'), 'content', $2::text)) as m
         from message where id = $1) as copied`,
      [id, `number ${number}`],
    )
  await send(otto, "otto's words")
  await otto.messages.send({ type: 'private', to: [iris.user_id], content: "otto's secret" })
  await iris.messages.send({ type: 'private', to: [otto.user_id], content: 'told otto' })
  await iris.userStatus.set({ status_text: 'in the garden' })

  using exported = await exportOf(world, iris, 'b')

  const account = JSON.parse(exported.read('account.json'))
  assert.deepEqual([account.email, account.status.text], [iris.email, 'in the garden'])
  assert.deepEqual(
    account.streams.map(({ name }: { name: string }) => name),
    ['garden'],
  )
  assert.equal(exported.messages.length, 252)
  const [first] = exported.messages
  assert.deepEqual(
    [first?.stream, first?.topic, first?.content],
    ['garden', 'roses', `look at [this](${body.uri})`],
  )
  assert.match(JSON.stringify(first?.earlier), /see \[this\]/)
  assert.deepEqual(
    exported.messages.at(-1)?.to,
    [iris.user_id, otto.user_id].sort((a, b) => a - b),
  )
  const upload = exported.files.find((name) => name.endsWith('roses.txt'))
  assert.equal(exported.read(upload ?? ''), 'many roses')
  for (const name of exported.files) assert.doesNotMatch(exported.read(name), /otto's|api_key|password/)
})

test('an own-data export has stream and topic only of own messages that the account can still see', async () => {
  await using world = await startWorld()
  const { owner } = world
  const [iris] = await world.people('iris')
  const cellar = await world.stream('cellar', { members: [owner, iris], invite_only: true })
  const { id } = await iris.messages.send({
    type: 'stream',
    to: cellar.stream_id,
    topic: 'keys',
    content: 'under the pot',
  })
  await iris.subscriptions.unsubscribe({ subscriptions: ['cellar'] })
  await owner.messages.edit({ message_id: id, topic: 'hidden topic' })
  await owner.streams.update({ stream_id: cellar.stream_id, new_name: 'hidden cellar' })
  const attic = await world.stream('attic', { members: [owner, iris] })
  const archived = await iris.messages.send({
    type: 'stream',
    to: attic.stream_id,
    topic: 'keys',
    content: 'a',
  })
  await owner.streams.archive({ stream_id: attic.stream_id })
  await owner.messages.edit({ message_id: archived.id, topic: 'shown topic' })

  using exported = await exportOf(world, iris)

  assert.deepEqual(
    exported.messages.map(({ id, content, stream, topic, stream_id }) => [
      id,
      content,
      stream,
      topic,
      stream_id,
    ]),
    [
      [id, 'under the pot', undefined, undefined, undefined],
      [archived.id, 'a', '!DEACTIVATED:attic', 'shown topic', attic.stream_id],
    ],
  )
  for (const name of exported.files) assert.doesNotMatch(exported.read(name), /hidden/)
})

test('an account can make three own-data exports a day across nodes, and bots and anonymous callers none', async () => {
  await using world = await startWorld()
  const [iris] = await world.people('iris')
  const bot = await world.bot('mower', iris)
  const ask = async (node: NodeName, credentials?: Person) =>
    (await request(world.nodes[node].url, { path, ...(credentials && { credentials }) })).status

  assert.equal(await ask('a'), 401)
  assert.equal(await ask('a', bot), 400)
  const { owner: stranger } = await world.addOrganization(`hill${iris.user_id}`)
  assert.equal(await ask('a', stranger), 401)
  for (const node of ['a', 'b', 'a'] as const) assert.equal(await ask(node, iris), 200)
  assert.deepEqual([await ask('a', iris), await ask('b', iris)], [429, 429])
  await world.database.query(
    `update own_export set began_at = began_at - interval '25 hours' where user_id = $1`,
    [iris.user_id],
  )
  assert.equal(await ask('b', iris), 200)
})

test('an own-data export stops before its last files if the account is deactivated', async () => {
  await using world = await startWorld()
  const [iris] = await world.people('iris')
  const { writeOwnArchive } = await import('./write-archive.ts')
  const reader = {
    organization_id: world.organization_id as never,
    user_id: iris.user_id,
    role: 400 as const,
  }
  const archive = writeOwnArchive(world.nodes.a.app, reader)
  await archive.next()
  await world.owner.users.deactivate({ user_id: iris.user_id })

  await assert.rejects(async () => {
    for await (const _ of archive);
  }, /deactivated/)
})
