import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listEndpoints, type NamedEndpoint } from '@oxbow/contract'
import {
  type MadeStream,
  type Person,
  type RawRequest,
  type RawResponse,
  request,
  startWorld,
  type World,
} from '@oxbow/testkit'
import { addEmoji } from '@oxbow/testkit/calls/emoji'
import { schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { makeGroup } from '@oxbow/testkit/calls/user-groups'
import { testSeed } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { retry } from '../src/platform/retry.ts'
import { type Fixtures, requestsTo } from './generated-requests.ts'

/** Number of generated requests per endpoint. They differ in every run. */
const perEndpoint = bySize({ gate: 24, long: 2_000 })
/** Number of requests that are sent at the same time. */
const batchSize = bySize({ gate: 24, long: 40 })
/** Maximum number of rounds, for endpoints that refuse most generated requests. */
const maxRounds = bySize({ gate: 134, long: 5 })

/**
 * Tables that requests about streams and messages change. Each is listed after the tables that it
 * refers to.
 */
const restoredTables = [
  'stream',
  'invitation',
  'invitation_stream',
  'bot_setting',
  'subscription',
  'subscription_period',
  'muted_topic',
  'topic_attention',
  'default_stream',
  'default_stream_group',
  'default_stream_group_stream',
  'conversation',
  'message',
  'user_message',
  'read_mark',
  'message_edit',
  'message_stay',
  'reaction',
  'submessage',
  'upload',
  'upload_claim',
  'draft',
  'custom_emoji',
  'user_group',
  'user_group_member',
  'user_group_subgroup',
  'organization_domain',
  'linkifier',
  'scheduled_message',
]

const restoredGroups =
  /^((streams|subscriptions|defaultStreams|messages|scheduledMessages|drafts|emoji|userGroups|domains|linkifiers|webhooks|invitations|uploads)\.|users\.erase$)/

/**
 * Matches endpoints that may refuse every request, because their objects do not exist or no longer
 * exist.
 */
const mayAllFail =
  /^(authentication\.((dev)?fetchApiKey|listDevelopmentUsers|fetchGoogleClientId)|sessions\.(create|end|endCurrent)|events\.deleteQueue|webhooks\.replayFailure|devices\.remove.*|uploads\..*TemporaryLink|settings\.dismissHotspot|dataExports\.remove)$/i

/** Endpoints that return a new key, and how many each must return at least. */
const makesKeys = /\.regenerateApiKey$/
const minKeys = bySize({ gate: 3, long: 5 })

const isDeadlock = (error: unknown) => (error as { code?: string }).code === '40P01'

let world: World
let fixtures: Fixtures
let fieldIds: number[]
const madeKeys: string[] = []

before(async () => {
  // Some invitations need a configured mail server. Nothing listens at this address.
  world = await startWorld({ config: { smtp_url: 'smtp://127.0.0.1:1', external_url: 'http://localhost' } })
  const people = await world.people('iris', 'otto', 'fern')
  const guest = await world.person('gus', 'guest')
  const bot = await world.bot('robot', world.owner)
  const bots = await Promise.all(
    ([1, 2, 3, 4] as const).map((type) => world.bot(`type${type}`, people[type % 3] ?? world.owner, type)),
  )
  const fields = await Promise.all(
    [1, 4, 6].map((field_type) =>
      world.owner.profileFields.create({ name: `Field ${field_type}`, field_type }),
    ),
  )
  fieldIds = fields.map(({ id }) => id)
  const streams = await makeFixtures(people, guest, bot)
  const hook = await world.bot('hook', world.owner, 2)
  fixtures = {
    hook: { email: hook.email, api_key: hook.api_key },
    // Half of the requests come from the owner, who may do most.
    callers: [...Array.from({ length: 5 }, () => world.owner), ...people, guest, bot].map(
      ({ email, api_key }) => ({
        email,
        api_key,
      }),
    ),
    // Ids of users, fields, streams and groups.
    ids: [...people.map(({ user_id }) => user_id), bot.user_id, ...fieldIds, ...streams.ids],
    names: streams.names,
    messages: streams.messages,
    scheduled: streams.scheduled,
    drafts: streams.drafts,
    people: people.map(({ user_id }) => user_id),
    bots: bots.map(({ user_id }) => user_id),
    canary: 'heron lake 77 reeds and a secret',
  }
})
after(() => world[Symbol.asyncDispose]())

for (const named of listEndpoints()) {
  test(`${named.name} responds to ${perEndpoint} generated requests with an envelope and never with status 500`, async () => {
    const statuses = new Map<number, number>()
    const batches = fc.array(requestsTo(named, fixtures), { minLength: batchSize, maxLength: batchSize })
    const everyResponseIsValid = fc.asyncProperty(batches, async (requests) => {
      const responses = await Promise.all(
        requests.map((rawRequest) => request(world.nodes.a.url, rawRequest)),
      )
      for (const [index, response] of responses.entries()) {
        assertEnvelope(requests[index] as RawRequest, response)
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      }
      // Jobs of these requests may still run and lock the same rows in another order.
      await retry(() => restore(named, responses), { maxAttempts: 5, shouldRetry: isDeadlock })
    })
    // No queue has a generated id, so only polls without a queue id succeed.
    const minSuccesses = named.name === 'events.poll' ? 1 : bySize({ gate: 1, long: 5 })
    const keysBefore = madeKeys.length
    const isReached = () =>
      mayAllFail.test(named.name) ||
      ((statuses.get(200) ?? 0) >= minSuccesses &&
        (!makesKeys.test(named.name) || madeKeys.length - keysBefore >= minKeys))
    // Repeats until enough requests succeed; otherwise only the validation would be tested.
    for (let round = 0; round === 0 || (round < maxRounds && !isReached()); round++) {
      const numRuns = perEndpoint / batchSize
      await fc.assert(everyResponseIsValid, {
        seed: testSeed + round,
        numRuns,
        endOnFailure: true,
        reporter: reportBriefly,
      })
    }
    assert.ok(isReached(), `${named.name}: ${JSON.stringify([...statuses])}`)
  })
}

test('after all generated requests the node still responds and has logged neither secrets nor errors', async () => {
  assert.equal((await request(world.nodes.a.url, { path: '/ready' })).status, 200)
  // Error reports of clients are ignored, because their senders may write anything into them.
  const text = world.log.lines.filter((line) => !line.includes('a client reported')).join('')
  assert.ok(text.length > 100_000)
  const secrets = [fixtures.canary, ...fixtures.callers.map(({ api_key }) => api_key), world.owner.password]
  for (const secret of secrets) assert.ok(!text.includes(secret), 'a secret is in the log')
  const keyLikeTexts = new Set(text.match(/[A-Za-z0-9]{32,}/g))
  // Only owners of bots see new keys, so most requests that create a key return none.
  assert.ok(madeKeys.length >= 2 * minKeys, `too few to prove anything: ${madeKeys.length} keys`)
  assert.ok(
    madeKeys.every((key) => !keyLikeTexts.has(key)),
    'a new key is in the log',
  )
  assert.deepEqual(world.log.entries(50), [])
})

/**
 * Creates streams of all kinds, groups, invitations, messages, drafts and other objects that requests
 * can refer to. Then copies the tables into the schema `kept`, from which `restore` reads them.
 */
async function makeFixtures(
  [iris, otto, fern]: [Person, Person, Person],
  guest: Person,
  bot: Person,
): Promise<Pick<Fixtures, 'ids' | 'names' | 'messages' | 'scheduled' | 'drafts'>> {
  const { owner } = world
  const weeds = await world.stream('weeds', { description: 'Pulled **daily**.' })
  const pond = await world.stream('pond', { by: bot, members: [bot, owner] })
  const compost = await world.stream('compost')
  const garden = await world.stream('garden', { members: [owner, iris, otto, fern, guest, bot] })
  const streams = [
    weeds,
    pond,
    compost,
    garden,
    await world.stream('Alpine Roses', { by: iris, members: [iris, otto] }),
    await world.stream('orchard', { by: otto, members: [otto, owner, guest], invite_only: true }),
    // The private stream is archived when its last subscriber leaves.
    await world.stream('vault', { by: fern, invite_only: true, history_public_to_subscribers: true }),
    await world.stream('Äpfel 🍎', { members: [owner, iris, bot], stream_post_policy: 2 }),
  ]
  for (const { stream_id } of [weeds, pond]) await owner.defaultStreams.add({ stream_id })
  const groupNames = ['Gardeners', 'Wachstum 🌱', 'Growers', 'Ponds']
  const groups = await Promise.all(
    groupNames.map((group_name) =>
      owner.defaultStreams.createGroup({
        group_name,
        description: '',
        stream_names: ['garden', 'alpine roses'],
      }),
    ),
  )
  for (const person of [owner, iris, guest])
    await person.subscriptions.muteTopic({ stream: 'garden', topic: 'roses', op: 'add' })
  await owner.subscriptions.setAttention({ ...garden, topic: 'tulips', visibility_policy: 3 })
  await owner.streams.archive({ stream_id: compost.stream_id })
  // Paths contain ids, so some emoji have names that are ids.
  for (const { stream_id } of streams.slice(0, 4)) await addEmoji(owner, String(stream_id))
  const userGroups: number[] = []
  for (const name of ['Growers', 'Wachstum 🌱'])
    userGroups.push(await makeGroup(iris, name, iris, otto, guest, bot))
  const invitations = await invite(garden)
  await world.database.query(
    'insert into organization_domain (organization_id, domain, allow_subdomains) select $1, id::text, false from unnest($2::int[]) id',
    [world.organization_id, streams.map(({ stream_id }) => stream_id)],
  )
  await world.database.query(
    `insert into linkifier (organization_id, id, pattern, url_format) overriding system value
     select $1, id, 'bed' || id || '-(?P<id>[0-9]+)', 'https://beds.example/%(id)s' from unnest($2::int[]) id`,
    [world.organization_id, streams.map(({ stream_id }) => stream_id)],
  )
  await world.database.query("select setval(pg_get_serial_sequence('linkifier', 'id'), 1000)")
  await world.database.query(
    `insert into upload (organization_id, id, owner_id, path_id, file_name, size, content_type, sha256)
     overriding system value select $1, id, $3, 'path/' || id, 'a.txt', 1, 'text/plain', '' from unnest($2::int[]) id`,
    [world.organization_id, streams.map(({ stream_id }) => stream_id), owner.user_id],
  )
  await world.database.query("select setval(pg_get_serial_sequence('upload', 'id'), 1000)")
  const messages = await sendMessages([owner, iris, otto, bot], streams.slice(3, 5), fern)
  const scheduled = [
    await schedule(owner, { to: garden.stream_id }),
    await schedule(owner, { to: [iris.user_id] }),
  ]
  const { ids: drafts } = await owner.drafts.create({
    drafts: ['Prune', 'Water'].map((content) => ({ type: '', to: [], topic: '', content })),
  })
  await world.database.query(
    [
      'create schema kept',
      ...[...restoredTables, 'organization', 'user_account'].map(
        (table) => `create table kept.${table} as table ${table}`,
      ),
    ].join(';'),
  )
  return {
    ids: [
      ...streams.map(({ stream_id }) => stream_id),
      ...groups.map(({ id }) => id),
      ...userGroups,
      ...invitations,
    ],
    names: [...streams.map(({ name }) => name), '!DEACTIVATED:compost', ...groupNames],
    messages,
    scheduled,
    drafts,
  }
}

/** Invites some addresses, and creates reusable links. */
async function invite({ stream_id }: MadeStream): Promise<number[]> {
  const { invitations } = world.owner
  const invitee_emails = 'one@elsewhere.example, two@elsewhere.example, three@elsewhere.example'
  await invitations.send({ invitee_emails, stream_ids: [stream_id] })
  for (const invite_as of [400, 600]) await invitations.createLink({ invite_as })
  return (await invitations.list()).invites.map(({ id }) => id)
}

/** Sends messages of several senders to streams and to one user. */
async function sendMessages(senders: Person[], streams: MadeStream[], someone: Person): Promise<number[]> {
  const content = 'A **rose** is a rose, https://example.com/rose.png @**all** @*Growers*'
  const sent: number[] = []
  for (const sender of senders) {
    for (const { stream_id } of streams)
      sent.push((await sender.messages.send({ type: 'stream', to: stream_id, topic: 'roses', content })).id)
    const { id } = await sender.messages.send({ type: 'private', to: [someone.user_id], content })
    await sender.messages.addReaction({ message_id: id, emoji_name: 'tada' })
    sent.push(id)
  }
  return sent
}

/** Reports only the request that failed. */
function reportBriefly(details: fc.RunDetails<[RawRequest[]]>): void {
  if (details.failed) throw details.errorInstance
}

function assertEnvelope(rawRequest: RawRequest, { status, headers, text, body }: RawResponse): void {
  const about = `${JSON.stringify(rawRequest).slice(0, 2_000)} → ${status} ${text.slice(0, 500)}`
  assert.ok(status < 500, about)
  // A redirect to a picture has no envelope.
  if (status === 302 && headers.has('location')) return
  if (rawRequest.method === 'HEAD' || status === 204) return
  // A missing file gets an HTML paragraph.
  if (rawRequest.path.startsWith('/api/v1/user_uploads') && text === '<p>File not found.</p>') return
  assert.match(headers.get('content-type') ?? '', /^application\/json/, about)
  assert.equal(typeof body.msg, 'string', about)
  if (status === 200) assert.equal(body.result, 'success', about)
  else assert.ok(body.result === 'error' && typeof body.code === 'string' && body.msg !== '', about)
}

async function restoreOrganization(): Promise<void> {
  const columns = await world.database.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'kept' and table_name = 'organization' and column_name <> 'id'`,
  )
  const assignments = columns.map(({ name }) => `${name} = kept.${name}`).join()
  await world.database.query(
    `update organization o set ${assignments} from kept.organization kept where kept.id = o.id`,
  )
}

/**
 * Restores rows that some endpoints remove and the next requests need: the caller's account or key,
 * fields, streams.
 */
async function restore({ name, endpoint }: NamedEndpoint, responses: RawResponse[]): Promise<void> {
  const { database } = world
  if (name.endsWith('.regenerateApiKey')) {
    const { secrets } = world.nodes.a.app
    for (const { email, api_key } of [...fixtures.callers, fixtures.hook]) {
      const [account] = await database.query<{ organization_id: number; id: number }>(
        'update user_account set api_key_hash = $1 where delivery_email = $2 returning organization_id, id',
        [secrets.hash(api_key), email],
      )
      if (!account) throw new Error(`no account has the address ${email}`)
      const { organization_id, id } = account
      await database.query('update user_account set api_key_sealed = $1 where id = $2', [
        secrets.seal(api_key, ['api key', organization_id, id]),
        id,
      ])
    }
    for (const { body } of responses) if (body.api_key) madeKeys.push(String(body.api_key))
  }
  if (name.startsWith('profileFields.')) {
    await database.query(
      `insert into profile_field (organization_id, id, name, type, hint, field_data, position) overriding system value
       select $1, id, 'Field ' || id, 1, '', '', id from unnest($2::bigint[]) id on conflict do nothing`,
      [world.organization_id, fieldIds],
    )
  }
  if (name.startsWith('organization.')) await restoreOrganization()
  if (name === 'users.erase') {
    await database.query(`delete from graphile_worker._private_jobs where payload ->> 'user_id' is not null`)
    await database.query('delete from user_erasure')
    await database.query(
      `update user_account u set delivery_email = kept.delivery_email, full_name = kept.full_name, erased_at = null,
         api_key_hash = kept.api_key_hash, api_key_sealed = kept.api_key_sealed, is_active = kept.is_active
       from kept.user_account kept where kept.id = u.id`,
    )
  }
  if (/deactivate/i.test(name)) {
    await database.query('update user_account set is_active = true where not is_active and erased_at is null')
  }
  // Refused requests have changed nothing.
  const hasChanged = endpoint.method !== 'GET' && responses.some(({ status }) => status < 400)
  if (restoredGroups.test(name) && hasChanged) {
    // Also deletes rows that were created meanwhile, so that lists stay short.
    const statements = [
      // Only deleted, because a trigger fills this table when conversations are inserted.
      'delete from conversation_member',
      // An hourly job fills this table.
      'delete from stream_traffic',
      ...restoredTables.toReversed().map((table) => `delete from ${table}`),
      ...restoredTables.map((table) => `insert into ${table} overriding system value table kept.${table}`),
    ]
    await database.query(statements.join(';'))
  }
}
