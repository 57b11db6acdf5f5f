import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, startWorld } from '@oxbow/testkit'
import { collectNotices, listPendingNotices } from './test/pending-notices.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, fern] = await world.people('iris', 'otto', 'fern')
const robin = await world.bot('robin', iris)
const news = await world.stream('news')

const noticesAfter = (work: () => Promise<unknown>) => collectNotices(world, work)
const named = (...names: string[]) => names.map((name) => ({ name }))
const ids = (...people: Person[]) => people.map(({ user_id }) => user_id)
const idOf = async (stream: string) => (await owner.streams.getId({ stream })).stream_id
const silentIris = `@_**Iris Gardener|${iris.user_id}**`
const silentOwner = `@_**Olive Owner|${owner.user_id}**`
const created = async (stream: string, by = silentIris) => ({
  stream_id: await idOf(stream),
  topic: 'stream events',
  content: `Stream created by ${by}.`,
})
const notifyIn = (stream_id: number | null) =>
  world.database.query('update organization set notifications_stream_id = $1', [stream_id])

test('the first message of a new stream names its creator', async () => {
  const notices = await noticesAfter(() =>
    iris.subscriptions.subscribe({ subscriptions: named('plans', 'Goals') }),
  )

  assert.deepEqual(notices, [await created('plans'), await created('Goals')])
  const call = (await listPendingNotices(world)).at(-1)
  assert.deepEqual([call?.organization_id, call?.read_by], [world.organization_id, iris.user_id])
})

test('a user subscribed by someone else gets a notice that lists the streams', async () => {
  await world.stream('pond')
  await world.stream('Garden')

  const notices = await noticesAfter(() =>
    iris.subscriptions.subscribe({ subscriptions: named('POND'), principals: ids(iris, otto, robin) }),
  )
  const several = await noticesAfter(() =>
    iris.subscriptions.subscribe({ subscriptions: named('pond', 'Garden'), principals: ids(fern) }),
  )

  assert.deepEqual(notices, [
    {
      users: ids(otto),
      content: `@**Iris Gardener|${iris.user_id}** subscribed you to the stream #**pond**.`,
    },
  ])
  assert.deepEqual(several, [
    {
      users: ids(fern),
      content: `@**Iris Gardener|${iris.user_id}** subscribed you to the following streams:\n\n* #**Garden**\n* #**pond**`,
    },
  ])
})

test('subscription notices omit streams that the user was already subscribed to and streams that the request created', async () => {
  await world.stream('north', { members: [otto] })
  await world.stream('south', { members: [owner] })

  const notices = await noticesAfter(() =>
    iris.subscriptions.subscribe({
      subscriptions: named('south', 'north', 'just made'),
      principals: ids(otto, fern),
    }),
  )

  const noticeText = `@**Iris Gardener|${iris.user_id}** subscribed you to the following streams:\n\n* #**north**\n* #**south**`
  assert.deepEqual(notices, [
    {
      users: ids(otto),
      content: `@**Iris Gardener|${iris.user_id}** subscribed you to the stream #**south**.`,
    },
    { users: ids(fern), content: noticeText },
    await created('just made'),
  ])
})

test('new streams, including private ones, are announced in the notifications stream', async () => {
  await notifyIn(news.stream_id)
  const announce = (...names: string[]) =>
    noticesAfter(() =>
      iris.subscriptions.subscribe({ subscriptions: named(...names), announce: true, invite_only: true }),
    )

  const notices = await announce('alpha')
  const several = await announce('beta', 'gamma')

  const received = (content: string) => ({ stream_id: news.stream_id, topic: 'new streams', content })
  const inPrivate = async (name: string) => {
    const { subscriptions } = await iris.subscriptions.list()
    const stream_id = subscriptions.find((subscription) => subscription.name === name)?.stream_id
    return { stream_id, topic: 'stream events', content: `Stream created by ${silentIris}.` }
  }
  assert.deepEqual(notices, [
    received(`${silentIris} created a new stream #**alpha**.`),
    await inPrivate('alpha'),
  ])
  assert.deepEqual(several, [
    received(`${silentIris} created the following streams: #**beta**, #**gamma**.`),
    await inPrivate('beta'),
    await inPrivate('gamma'),
  ])
  await notifyIn(null)
})

test('one request queues one job with the notices to users, the announcement, and a notice for each new stream', async () => {
  await notifyIn(news.stream_id)
  const before = (await listPendingNotices(world)).length
  await world.stream('old')
  const subscriptions = named('old', 'brand new')

  await iris.subscriptions.subscribe({ subscriptions, principals: ids(otto), announce: true })

  const jobs = (await listPendingNotices(world)).slice(before)
  // The first job was queued when the stream `old` was created.
  assert.equal(jobs.length, 2)
  assert.deepEqual(jobs[1]?.notices, [
    {
      users: ids(otto),
      content: `@**Iris Gardener|${iris.user_id}** subscribed you to the stream #**old**.`,
    },
    {
      stream_id: news.stream_id,
      topic: 'new streams',
      content: `${silentIris} created a new stream #**brand new**.`,
    },
    await created('brand new'),
  ])
  await notifyIn(null)
})

test('no announcement is sent if announce is false, no stream is new, or there is no notifications stream', async () => {
  const announced = async (name: string, announce: boolean) => {
    const notices = await noticesAfter(() =>
      iris.subscriptions.subscribe({ subscriptions: named(name), announce }),
    )
    return notices.filter((notice) => 'topic' in notice && notice.topic === 'new streams')
  }

  assert.deepEqual(await announced('unheard of', true), [])
  const plaza = await world.stream('plaza')
  await notifyIn(plaza.stream_id)
  assert.deepEqual(await announced('unasked', false), [])
  assert.deepEqual(await announced('news', true), [])
  await owner.streams.archive(plaza)
  assert.deepEqual(await announced('unhoused', true), [])
})

test('renaming a stream posts a notice in it', async () => {
  const { stream_id } = await world.stream('Old Name')

  const notices = await noticesAfter(() => owner.streams.update({ stream_id, new_name: ' New *Name* ' }))

  const content = `${silentOwner} renamed stream **Old Name** to **\`New *Name*\`**.`
  assert.deepEqual(notices, [{ stream_id, topic: 'stream events', content }])
})

test('other stream changes post no notices', async () => {
  const stream = await world.stream('still', { members: [owner, otto] })
  const { stream_id } = stream

  const notices = await noticesAfter(async () => {
    await owner.streams.update({
      stream_id,
      description: 'Other',
      stream_post_policy: 2,
      message_retention_days: 3,
      is_private: true,
    })
    await owner.streams.update({ stream_id, is_private: false })
    await iris.subscriptions.subscribe({ subscriptions: named('still') })
    await owner.subscriptions.subscribe({ subscriptions: named('still'), principals: ids(owner, otto) })
    await otto.subscriptions.unsubscribe({ subscriptions: ['still'] })
    await owner.subscriptions.unsubscribe({ subscriptions: ['still'], principals: ids(iris) })
    await owner.defaultStreams.add(stream)
    await owner.streams.archive(stream)
  })

  assert.deepEqual(notices, [])
})

test('refused requests queue no notices', async () => {
  const ada = await world.person('ada', 'administrator')
  const { stream_id } = await world.stream('cave', { invite_only: true })

  const notices = await noticesAfter(async () => {
    // The request renames the stream before its change of the privacy is refused.
    await assert.rejects(ada.streams.update({ stream_id, new_name: 'hole', is_private: false }))
    // The request creates a stream before unsubscribing is refused.
    await assert.rejects(iris.subscriptions.change({ add: named('unmade'), delete: ['nowhere'] }))
  })

  assert.deepEqual(notices, [])
})

test('the welcome message is queued as a job that nodes of the previous release do not run', async () => {
  const newcomer = await world.person('newcomer')
  const jobs = await world.database.query(
    `select t.identifier as name from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id
     where (j.payload ->> 'read_by')::int = $1 and j.payload ->> 'from' = 'welcome'`,
    [newcomer.user_id],
  )
  assert.deepEqual(jobs, [{ name: 'send-notices-of-bot' }])
})
