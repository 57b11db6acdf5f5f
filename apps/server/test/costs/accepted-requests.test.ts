import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  listEndpoints,
  type MessageId,
  maxArrangedStreams,
  maxEditBytes,
  maxEdits,
  maxStreamSections,
  type ScheduledMessageId,
} from '@oxbow/contract'
import {
  type Person,
  pngOf,
  type RawRequest,
  type RawResponse,
  request,
  startWorld,
  type World,
} from '@oxbow/testkit'
import {
  addEdits,
  addMessages,
  addReactions,
  addSubmessages,
  type LargeText,
} from '@oxbow/testkit/calls/large-messages'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { nextWeek, schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { testSeed } from '@oxbow/testkit/seed'
import { bySize, sampleInGate } from '@oxbow/testkit/size'
import { buildRequest } from './build-request.ts'
import { costlyContents, mixContents } from './costly-contents.ts'
import { fill, formula, repeat } from './costly-texts.ts'
import { type FullOrganization, fillOrganization } from './full-organization.ts'
import { type MeasuredNode, referenceUnitMs, startMeasuredNode } from './start-measured-node.ts'

/** Milliseconds of processor time that a request may take, on a machine on which `calibrate` returns `referenceUnitMs`. */
const maxProcessorMs = 1_000
/** A measurement is repeated if it fails, because the node may have compiled code or done other work meanwhile. */
const maxAttempts = 4
const maxPageBytes = 8_000_000

/** Most are a little below the limits, so that the requests that add one are accepted. */
const sizes = bySize({
  gate: {
    ...{ people: 100, streams: 300, groups: 20, membersPerGroup: 100, emoji: 100, linkifiers: 100 },
    ...{
      profileFields: 90,
      drafts: 100,
      scheduled: 40,
      mutedTopics: 100,
      attendedTopics: 500,
      alertWords: 500,
    },
  },
  long: {
    ...{ people: 1_000, streams: 500, groups: 450, membersPerGroup: 1_000, emoji: 990, linkifiers: 490 },
    ...{
      profileFields: 90,
      drafts: 100,
      scheduled: 100,
      mutedTopics: 1_000,
      attendedTopics: 5_000,
      alertWords: 500,
    },
  },
})
/** Messages of a page with many attached rows. */
const pageMessages = bySize({ gate: 1_000, long: 5_000 })
/** Bytes of messages that are too many for one page. */
const tooManyBytes = 9_000_000

let world: World
let node: MeasuredNode
let reader: Person
let otto: Person
let full: FullOrganization
let contents: Record<string, string>
let fixtures: Awaited<ReturnType<typeof makeFixtures>>

before(async () => {
  const config = { smtp_url: 'smtp://127.0.0.1:1', external_url: 'http://localhost' }
  world = await startWorld({ ownServer: true, config })
  ;[reader, otto] = await world.people('reader', 'otto')
  const { rendered } = await reader.messages.render({ content: repeat(formula, 1_000) })
  full = await fillOrganization(world, reader, rendered, sizes)
  const texts = costlyContents({
    people: full.people.map(({ id, full_name }) => `${full_name}|${id}`),
    groups: full.groups.map(({ name }) => name),
    streams: full.streams.map(({ name }) => name),
  })
  const mixtures = Array.from({ length: bySize({ gate: 1, long: 20 }) }, (_, index) => index)
  contents = {
    ...texts,
    ...Object.fromEntries(
      mixtures.map((index) => [`a mixture (${index})`, mixContents(texts, testSeed + index)]),
    ),
  }
  fixtures = await makeFixtures()
  node = await startMeasuredNode(world, config)
})
after(async () => {
  await node[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

async function makeFixtures() {
  const attached = await world.stream('attached', { by: reader, members: [reader] })
  const short = { content: 'rose', html: '<p>rose</p>' }
  const page = await addMessages(world, reader, attached, new Array<LargeText>(pageMessages).fill(short))
  await addReactions(world, page, 6)
  await addSubmessages(world, page, 10, 100)
  await addEdits(world, page, 5, 500)
  const limited = await world.stream('limited', { by: reader, members: [reader, otto] })
  const [full_id] = await addMessages(world, reader, limited, [short])
  const message_id = full_id as MessageId
  await addEdits(world, [message_id], maxEdits, maxEditBytes / maxEdits / 2)
  await addReactions(world, [message_id], 20_000)
  await addSubmessages(world, [message_id], 9_000, 50)
  const bot = await world.bot('hook', reader, 2)
  const scheduled_message_id = await schedule(reader, { to: attached.stream_id })
  const draft = { type: '', to: [], topic: '', content: 'Prune' }
  const [draft_id] = (await otto.drafts.create({ drafts: [draft] })).ids
  const { channel_folder_id: folder_id } = await world.owner.streamFolders.create({ name: 'Sheds' })
  const storage = Object.fromEntries(fill((index) => [`key ${index}`, 'x'.repeat(80)], 9_000))
  await reader.botStorage.write({ storage })
  const { custom_fields } = await reader.profileFields.list()
  const own = await world.stream('own', { by: reader, members: [reader] })
  const moved = await addMessages(world, reader, own, new Array<LargeText>(pageMessages).fill(short))
  return {
    page,
    attached,
    message_id,
    bot_id: bot.user_id,
    scheduled_message_id,
    draft_id,
    folder_id,
    fields: custom_fields.map(({ id }) => id),
    moved: moved[0] as MessageId,
    public_message_id: await sendToStream(reader, limited, 'roses'),
    created: await world.stream('described', { by: reader }),
  }
}

/** Sends a request that must succeed, and fails if it takes more processor time than allowed. */
async function measure(what: string, makeRequest: (attempt: number) => RawRequest): Promise<RawResponse> {
  for (let attempt = 1; ; attempt++) {
    const costly = makeRequest(attempt)
    let response: RawResponse | undefined
    const { processorMs } = await node.measure(async () => {
      response = await request(node.url, costly)
    })
    assert.ok(response?.status === 200, `${what}: ${response?.text.slice(0, 300)}`)
    if (processorMs <= maxProcessorMs) return response
    const allowedMs = (maxProcessorMs / referenceUnitMs) * (await node.calibrate())
    if (processorMs <= allowedMs) return response
    const figures = `${what}: ${processorMs.toFixed(0)} ms of ${allowedMs.toFixed(0)} ms`
    assert.ok(attempt < maxAttempts, figures)
  }
}

const call = (name: string, params: object, by = reader, what = name): Promise<RawResponse> =>
  measure(what, () => buildRequest(name, params, by))

type Page = { messages: { id: MessageId }[]; found_oldest: boolean; found_newest: boolean }

/** Reads a page of which only a part fits. */
async function readCutPage(what: string, params: object): Promise<void> {
  const { text, body } = await call('messages.list', params, reader, what)
  const { messages, found_oldest, found_newest } = body as unknown as Page
  assert.ok(Buffer.byteLength(text) <= maxPageBytes, `${what}: ${Buffer.byteLength(text)} bytes`)
  assert.ok(messages.length > 1, what)
  assert.deepEqual([found_oldest, found_newest], [false, true], what)
}

const newest = (stream: { name: string }) => ({
  anchor: 'newest',
  num_before: 5_000,
  num_after: 0,
  narrow: [{ operator: 'stream', operand: stream.name, negated: false }],
})

/** Parameters of requests that read as much as possible, by endpoint. */
const readings: Record<string, () => object[]> = {
  'server.settings': () => [{}],
  'sessions.list': () => [{}],
  'users.list': () => [{}, { include_custom_profile_fields: true }],
  'users.directory': () => [{}],
  'users.me': () => [{}],
  'users.get': () => [{ user_id: full.people[0]?.id, include_custom_profile_fields: true }],
  'users.getByEmail': () => [{ email: 'rose1@garden.example', include_custom_profile_fields: true }],
  'invitations.list': () => [{}],
  'bots.list': () => [{}],
  'botStorage.read': () => [{}],
  'alertWords.list': () => [{}],
  'profileFields.list': () => [{}],
  'domains.list': () => [{}],
  'linkifiers.list': () => [{}],
  'linkifiers.listByName': () => [{}],
  'emoji.list': () => [{}],
  'userGroups.list': () => [{}],
  'streamFolders.list': () => [{ include_archived: true }],
  'streams.getId': () => [{ stream: 'attached' }],
  'streams.list': () => [{ include_all_active: false, include_subscriber_counts: true }],
  'streams.get': () => [{ stream_id: full.streams[0]?.id }],
  'streams.members': () => [{ stream_id: fixtures.attached.stream_id }],
  'streams.topics': () => [{ stream_id: fixtures.attached.stream_id }],
  'subscriptions.list': () => [{}, { include_subscribers: true }],
  'subscriptions.status': () => [{ user_id: reader.user_id, stream_id: fixtures.attached.stream_id }],
  'messages.list': () => [
    { anchor: 'newest', num_before: 5_000, num_after: 0 },
    { anchor: 'first_unread', num_before: 2_500, num_after: 2_500 },
    { ...newest(fixtures.attached), anchor: 'oldest', num_before: 0, num_after: 5_000 },
    {
      ...newest(fixtures.attached),
      anchor: fixtures.page[pageMessages / 2],
      num_before: 2_500,
      num_after: 2_500,
    },
    { ...newest(fixtures.attached), narrow: [{ operator: 'search', operand: 'rose' }] },
  ],
  'messages.matchesNarrow': () => [
    { msg_ids: fixtures.page.slice(0, 1_000), narrow: [{ operator: 'search', operand: 'rose' }] },
  ],
  'messages.getRaw': () => [{ message_id: fixtures.message_id }],
  'messages.readReceipts': () => [{ message_id: fixtures.message_id }],
  'messages.history': () => [{ message_id: fixtures.message_id }],
  'notifications.explain': () => [{ message_id: fixtures.message_id }],
  'messages.conversations': () => [{ limit: 200 }],
  'drafts.list': () => [{}],
  'uploads.list': () => [{}],
  'scheduledMessages.list': () => [{}],
  'webhooks.listFailures': () => [{ bot_id: fixtures.bot_id, include_bodies: true }],
  'webhooks.listIntegrations': () => [{}],
  'presence.list': () => [{}],
  'presence.listOf': () => [{ user_ids: full.people.slice(0, 500).map(({ id }) => id) }],
  'permissions.explain': () => [
    { user_id: reader.user_id, action: 'post', stream_id: fixtures.attached.stream_id },
  ],
  'events.register': () => [
    {},
    { include_subscribers: true, all_public_streams: true },
    { fetch_event_types: [], fetch_messages: newest(fixtures.attached) },
  ],
}

type Writing = [params: (attempt: number) => object, by?: () => Person]

const owner = () => world.owner
const fromOtto = () => otto
const picture = () => ({ files: [{ name: 'x.png', bytes: pngOf(1_000, 1_000) }] })
const description = repeat(formula, 1_020)
/** The values of a profile have 50,000 characters at most, with their HTML. */
const profile = () => fixtures.fields.slice(0, 45).map((id) => ({ id, value: repeat(formula, 490) }))
const newStreams = (attempt: number, kind: string) =>
  fill(
    (index) => ({ name: `${kind} ${attempt} ${index}`, description: `${index} ${repeat(formula, 980)}` }),
    100,
  )
const allPeople = () => full.people.map(({ id }) => id)

/** Requests that change as much as possible, by endpoint. An attempt must not find the changes of the one before. */
const writings: Record<string, Writing> = {
  'organization.update': [(attempt) => ({ description: `${attempt} ${repeat(formula, 980)}` }), owner],
  'users.updateSettings': [(attempt) => ({ full_name: `Rose ${attempt} ${'x'.repeat(90)}` })],
  'users.setAvatar': [picture],
  'users.setProfileData': [() => ({ data: profile() })],
  'users.clearProfileData': [() => ({ data: fixtures.fields })],
  'users.update': [() => ({ user_id: otto.user_id, profile_data: profile() }), owner],
  'invitations.send': [
    (attempt) => ({
      invitee_emails: fill((index) => `a${attempt}-${index}@x.example`, 100).join(),
      stream_ids: full.streams.slice(0, 100).map(({ id }) => id),
    }),
  ],
  'bots.create': [
    (attempt) => ({ full_name: `Robin ${attempt}`, short_name: `robin${attempt}`, ...picture() }),
  ],
  'bots.update': [() => ({ bot_id: fixtures.bot_id, ...picture() })],
  'botStorage.write': [
    (attempt) => ({
      storage: Object.fromEntries(fill((index) => [`key ${index}`, `${attempt}`.repeat(80)], 9_000)),
    }),
  ],
  'botStorage.remove': [() => ({ keys: fill((index) => `key ${index}`, 9_000) })],
  'alertWords.add': [
    (attempt) => ({ alert_words: fill((index) => `${attempt}-${index}${'x'.repeat(90)}`, 100) }),
    fromOtto,
  ],
  'alertWords.remove': [
    () => ({ alert_words: fill((index) => `${index}${'x'.repeat(90)}`, 5_000) }),
    fromOtto,
  ],
  'profileFields.create': [
    (attempt) => ({
      name: `Choices ${attempt}`,
      field_type: 3,
      field_data: Object.fromEntries(
        Array.from({ length: 1_000 }, (_, index) => [index, { text: `Rose ${index}`, order: `${index}` }]),
      ),
    }),
    owner,
  ],
  'linkifiers.add': [
    (attempt) => ({
      pattern: `bed${attempt}(?P<id>[0-9]+)`,
      url_format_string: `https://x.example/${'y'.repeat(1_900)}/%(id)s`,
    }),
    owner,
  ],
  'emoji.upload': [(attempt) => ({ emoji_name: `rose_${attempt}`, ...picture() }), owner],
  'userGroups.create': [
    (attempt) => ({ name: `Weeders ${attempt}`, description, members: allPeople() }),
    owner,
  ],
  'userGroups.changeMembers': [
    (attempt) => ({ user_group_id: full.groups[attempt]?.id, delete: allPeople().slice(0, 90) }),
    owner,
  ],
  'streamFolders.create': [
    (attempt) => ({ name: `Beds ${attempt}`, description: repeat(formula, 980) }),
    owner,
  ],
  'streamFolders.update': [
    () => ({ channel_folder_id: fixtures.folder_id, description: repeat(formula, 980) }),
    owner,
  ],
  'streamSections.set': [
    (attempt) => ({
      stream_sections: [
        { kind: 'own', name: `Beds ${attempt}`, stream_ids: fill((index) => index + 1, maxArrangedStreams) },
        ...fill(
          (index) => ({ kind: 'own', name: `${attempt} ${index}`, stream_ids: [] }),
          maxStreamSections - 1,
        ),
      ],
    }),
    fromOtto,
  ],
  'userGroups.changeSubgroups': [
    (attempt) => ({ user_group_id: full.groups[attempt]?.id, add: [full.groups[attempt + 1]?.id] }),
    owner,
  ],
  'streams.update': [
    (attempt) => ({
      stream_id: fixtures.created.stream_id,
      description: `${attempt} ${repeat(formula, 980)}`,
    }),
    owner,
  ],
  'subscriptions.subscribe': [(attempt) => ({ subscriptions: newStreams(attempt, 'new') })],
  'subscriptions.change': [(attempt) => ({ add: newStreams(attempt, 'other') })],
  'subscriptions.unsubscribe': [
    (attempt) => ({
      subscriptions: full.streams.slice(50 * attempt, 50 * attempt + 50).map(({ name }) => name),
    }),
  ],
  'subscriptions.setProperties': [
    (attempt) => ({
      subscription_data: full.streams
        .slice(-50)
        .map(({ id }) => ({ stream_id: id, property: 'color', value: `#00000${attempt}` })),
    }),
  ],
  'defaultStreams.createGroup': [
    (attempt) => ({
      group_name: `Beds ${attempt}`,
      description,
      stream_names: full.streams.slice(-100).map(({ name }) => name),
    }),
    owner,
  ],
  'messages.changeFlags': [
    (attempt) => ({ messages: fixtures.page, op: attempt % 2 ? 'add' : 'remove', flag: 'starred' }),
  ],
  'messages.addReaction': [
    (attempt) => ({
      message_id: fixtures.public_message_id,
      emoji_name: ['tada', 'smile', 'heart', 'rocket', 'eyes'][attempt],
    }),
  ],
  'messages.addSubmessage': [
    (attempt) => ({
      message_id: fixtures.message_id,
      msg_type: 'widget',
      content: `"${attempt}${'x'.repeat(9_000)}"`,
    }),
    fromOtto,
  ],
  'messages.edit': [
    (attempt) => ({ message_id: fixtures.moved, topic: `topic ${attempt}`, propagate_mode: 'change_all' }),
  ],
  'drafts.create': [
    () => ({ drafts: fill(() => ({ type: '', to: [], topic: '', content: 'x'.repeat(9_500) }), 20) }),
    fromOtto,
  ],
  'drafts.edit': [
    () => ({
      draft_id: fixtures.draft_id,
      draft: { type: '', to: [], topic: '', content: 'x'.repeat(9_500) },
    }),
    fromOtto,
  ],
  'uploads.upload': [() => ({ files: [{ name: 'x.txt', bytes: Buffer.alloc(10_000_000, 'x') }] })],
  'typing.tell': [() => ({ op: 'start', to: allPeople().slice(0, 100) })],
  'messages.markTopicRead': [() => ({ stream_id: fixtures.attached.stream_id, topic_name: 'large' })],
  'messages.markStreamRead': [() => ({ stream_id: fixtures.attached.stream_id })],
  'messages.markAllRead': [() => ({})],
}

const few = 'it changes one row, or a few short ones'
const likeAnother = 'its costs are those of another endpoint in this file'
const byJobs = 'jobs do the work'
const short = 'it takes and returns short texts'
const withTexts = 'it is measured with each of the texts'

/** The other endpoints, by the reason why they are not measured. */
const notMeasured: Record<string, string[]> = {
  [few]: [
    ...['sessions.endOthers', 'sessions.endCurrent', 'sessions.end', 'sessions.endOfUser', 'users.create'],
    ...['users.deactivateMe', 'users.deactivate', 'users.reactivate', 'users.regenerateApiKey'],
    ...['users.clearAvatar', 'invitations.createLink', 'invitations.revokeLink', 'invitations.revoke'],
    ...['invitations.resend', 'bots.deactivate', 'bots.regenerateApiKey', 'settings.updateDisplay'],
    ...['settings.updateNotifications', 'settings.setEnterSends', 'settings.dismissHotspot'],
    ...['settings.setTutorialStatus', 'settings.runCommand', 'userStatus.set', 'devices.addAndroid'],
    ...['devices.removeAndroid', 'devices.addApple', 'devices.removeApple', 'profileFields.remove'],
    ...['profileFields.reorder', 'domains.add', 'domains.update', 'domains.remove', 'linkifiers.remove'],
    ...['organizationPictures.clearIcon', 'organizationPictures.clearLogo', 'emoji.deactivate'],
    ...['userGroups.update', 'userGroups.remove', 'streams.archive', 'subscriptions.muteTopic'],
    'mutedUsers.unmute',
    'streamFolders.reorder',
    ...['subscriptions.setAttention'],
    ...['subscriptions.setProperty', 'defaultStreams.updateGroup', 'defaultStreams.removeGroup'],
    ...['defaultStreams.add', 'defaultStreams.remove', 'dataExports.remove', 'messages.remove'],
    ...['messages.removeReaction', 'drafts.remove', 'uploads.remove', 'scheduledMessages.remove'],
    ...['presence.report', 'presence.get', 'events.deleteQueue'],
  ],
  [likeAnother]: [
    ...['profileFields.update', 'organizationPictures.setIcon', 'organizationPictures.setLogo'],
    ...['defaultStreams.changeGroupStreams', 'typing.tellShort', 'webhooks.replayFailure'],
    // Like `messages.markAllRead`.
    'mutedUsers.mute',
  ],
  [byJobs]: ['organization.deactivate', 'users.erase', 'dataExports.start'],
  'administrators delete messages in batches': ['streams.deleteTopic'],
  [short]: [
    ...['server.checkSubdomain', 'authentication.devFetchApiKey', 'authentication.listDevelopmentUsers'],
    ...['authentication.fetchApiKey', 'authentication.fetchGoogleClientId', 'sessions.create'],
    ...['dataExports.list', 'uploads.findTemporaryLink', 'uploads.getTemporaryLink', 'reports.narrowTimes'],
    ...['reports.sendTimes', 'reports.unnarrowTimes', 'reports.reportError'],
  ],
  [withTexts]: ['messages.send', 'messages.render', 'scheduledMessages.create', 'scheduledMessages.edit'],
  'large-deliveries.test.ts measures it': ['webhooks.deliver'],
  'its responses are limited (large-responses.test.ts)': ['events.poll'],
}

test('every endpoint is measured here, or has a reason why not', () => {
  const named = [...Object.keys(readings), ...Object.keys(writings), ...Object.values(notMeasured).flat()]
  assert.deepEqual(
    named.toSorted(),
    listEndpoints()
      .map(({ name }) => name)
      .toSorted(),
  )
})

const kinds = () => sampleInGate(Object.entries(contents), 2)

test('long texts of every kind are rendered, sent, scheduled, edited, compared and read within the limit', async () => {
  for (const [kind, content] of kinds()) {
    const send = { type: 'stream', to: fixtures.attached.stream_id, topic: 'roses', content }
    const sent = await request(node.url, buildRequest('messages.send', send, reader))
    // Some texts are refused, because their HTML would be too long.
    if (sent.status !== 200) continue
    const message_id = sent.body.id as MessageId
    await call('messages.render', { content }, reader, `${kind}: render`)
    await call('messages.send', send, reader, `${kind}: send`)
    const later = { ...send, scheduled_delivery_timestamp: nextWeek() }
    const scheduled = await call('scheduledMessages.create', later, reader, `${kind}: schedule`)
    await reader.scheduledMessages.remove(scheduled.body as { scheduled_message_id: ScheduledMessageId })
    const { scheduled_message_id } = fixtures
    await call('scheduledMessages.edit', { scheduled_message_id, content }, reader, `${kind}: edit scheduled`)
    await measure(`${kind}: edit`, (attempt) =>
      buildRequest('messages.edit', { message_id, content: content.slice(attempt) }, reader),
    )
    await call('messages.history', { message_id }, reader, `${kind}: history`)
    await readKind(kind, message_id)
  }
})

/** Reads a stream with so many copies of a message that a page has space for only some of them. */
async function readKind(kind: string, message_id: MessageId): Promise<void> {
  const [row] = await world.database.query<LargeText>(
    'select content, rendered_content as html from message where id = $1',
    [message_id],
  )
  const text = row as LargeText
  const stream = await world.stream(`kind ${kind}`, { by: reader, members: [reader] })
  const count = Math.min(5_000, Math.ceil(tooManyBytes / Buffer.byteLength(text.html)))
  await addMessages(world, reader, stream, new Array<LargeText>(count).fill(text))
  const page = newest(stream)
  if (count < 5_000) await readCutPage(`${kind}: page`, page)
  else await call('messages.list', page, reader, `${kind}: page`)
  await call('messages.list', { ...page, apply_markdown: false }, reader, `${kind}: page of sources`)
}

test('a page of messages with many reactions, edits and submessages is cut, and read within the limit', async () => {
  await readCutPage('page of attached rows', newest(fixtures.attached))
})

for (const [name, makeAll] of Object.entries(readings))
  test(`${name} of a full organization returns its response within the limit`, async () => {
    for (const params of makeAll()) await call(name, params)
  })

for (const [name, [makeParams, by]] of sampleInGate(Object.entries(writings), 8))
  test(`${name} with as much as it accepts is served within the limit`, async () => {
    await measure(name, (attempt) => buildRequest(name, makeParams(attempt), by?.() ?? reader))
  })

test('the export of own data, which grows with the messages of the account, never blocks a node for long', async () => {
  const { longestBlockMs } = await node.measure(async () => {
    const { status } = await request(node.url, { path: '/api/v1/users/me/export', credentials: reader })
    assert.equal(status, 200)
  })
  assert.ok(longestBlockMs < maxProcessorMs / 2, `${longestBlockMs} ms`)
})
