import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type MessageId, Role } from '@oxbow/contract'
import { parseQuery } from '@oxbow/search'
import { eventually, type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { compileNarrow } from '../read/narrow/compile.ts'
import { findMatches } from './find-matches.ts'
import { indexMessages } from './index-messages.ts'
import { Matcher } from './matcher.ts'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const [iris, otto, rosa] = await world.people('iris', 'otto', 'rosa')
const gus = await world.person('gus', 'guest')
const garden = await world.stream('garden', { members: [iris, otto] })
const pond = await world.stream('pond', { members: [otto] })
await world.stream('cellar', { by: otto, members: [otto], invite_only: true })
await world.settled()

/**
 * Skips message ids as if many messages had been sent, because only distant messages are found by
 * the index.
 */
const skip = (count: number) =>
  world.database.query(`select setval('message_id', last_value + $1) from message_id`, [count])

type Terms = [operator: string, operand: string | number, negated?: boolean][]
const termsOf = (search: string, terms: Terms) =>
  [...terms, ['search', search] as const].map(([operator, operand, negated = false]) => ({
    operator,
    operand,
    negated,
  }))

async function found(person: Person, search: string, ...terms: Terms): Promise<MessageId[]> {
  const narrow = termsOf(search, terms)
  const { messages } = await person.messages.list({ anchor: 'newest', num_before: 100, num_after: 0, narrow })
  const again = await person.messages.list({ anchor: 'oldest', num_before: 0, num_after: 100, narrow })
  assert.deepEqual(again.messages, messages)
  return messages.map(({ id }) => id)
}

test('search can be combined with every other narrow term, for messages near the anchor and far from it', async () => {
  const old = await sendToStream(iris, 'garden', 'roses', 'Pruning the trellis')
  const privateId = await sendPrivately(otto, [iris], 'The trellis again')
  const inPond = await sendToStream(
    otto,
    'pond',
    'roses',
    'A trellis in the pond, https://example.com/trellis',
  )
  const inCellar = await sendToStream(otto, 'cellar', 'wine', 'No trellis here')
  await skip(1_200_000)
  const between = await sendToStream(otto, 'garden', 'tulips', 'trellises')
  await skip(20_000)
  const last = await sendToStream(iris, 'garden', 'Trellis', 'And in the topic')
  assert.deepEqual(await found(iris, 'trellis'), [old, privateId, between, last])
  assert.deepEqual(await found(otto, 'trellis'), [old, privateId, inPond, inCellar, between, last])
  assert.deepEqual(await found(rosa, 'trellis'), [])
  assert.deepEqual(await found(gus, 'trellis'), [])
  assert.deepEqual(await found(rosa, 'trellis', ['stream', 'garden']), [old, between, last])
  assert.deepEqual(await found(rosa, 'trellis', ['streams', 'public']), [old, inPond, between, last])
  await assert.rejects(found(gus, 'trellis', ['stream', 'garden']), { errorName: 'BAD_NARROW' })
  assert.deepEqual(await found(otto, 'trellis', ['topic', 'ROSES']), [old, inPond])
  assert.deepEqual(await found(otto, 'trellis', ['topic', 'roses', true]), [
    privateId,
    inCellar,
    between,
    last,
  ])
  assert.deepEqual(await found(otto, 'trellis', ['sender', iris.user_id]), [old, last])
  assert.deepEqual(await found(otto, 'trellis', ['sender', iris.user_id, true]), [
    privateId,
    inPond,
    inCellar,
    between,
  ])
  assert.deepEqual(await found(otto, 'trellis', ['stream', garden.stream_id, true]), [
    privateId,
    inPond,
    inCellar,
  ])
  assert.deepEqual(await found(otto, 'trellis', ['is', 'private']), [privateId])
  assert.deepEqual(await found(iris, 'trellis', ['pm-with', otto.email]), [privateId])
  assert.deepEqual(await found(otto, 'trellis', ['has', 'link']), [inPond])
  await iris.messages.changeFlags({ messages: [old, between], op: 'add', flag: 'read' })
  assert.deepEqual(await found(iris, 'trellis', ['is', 'unread']), [privateId, last])
  await iris.messages.changeFlags({ messages: [old, last], op: 'add', flag: 'starred' })
  assert.deepEqual(await found(iris, 'trellis', ['is', 'starred']), [old, last])
  assert.deepEqual(await found(iris, 'trellis', ['id', String(between)]), [between])
  assert.deepEqual(await found(iris, 'trellis', ['in', 'home']), [old, privateId, between, last])
  // Several search terms form one query, in which negation is ignored.
  assert.deepEqual(await found(iris, 'trellis', ['search', 'pruning', true]), [old])
  await assert.rejects(found(iris, '  '), { message: 'elem["operand"] cannot be blank.' })
})

test('a page of search results reports whether it includes the oldest or newest match', async () => {
  const ids: MessageId[] = []
  for (let number = 0; number < 5; number++) {
    ids.push(await sendToStream(iris, 'garden', 'beans', `Beanstalk number ${number}`))
    await sendToStream(iris, 'garden', 'beans', 'Nothing')
    await skip(number % 2 === 0 ? 500_000 : 30_000)
  }
  const page = async (anchor: string, num_before: number, num_after: number) => {
    const narrow = termsOf('beanstalks', [])
    const { messages, ...ends } = await iris.messages.list({ anchor, num_before, num_after, narrow })
    const which = messages.map(({ id }) => ids.indexOf(id))
    return [which, ends.found_anchor, ends.found_oldest, ends.found_newest]
  }
  assert.deepEqual(await page('newest', 2, 0), [[3, 4], false, false, true])
  assert.deepEqual(await page('newest', 9, 0), [[0, 1, 2, 3, 4], false, true, true])
  assert.deepEqual(await page('oldest', 0, 3), [[0, 1, 2], false, true, false])
  assert.deepEqual(await page(String(ids[2]), 1, 1), [[1, 2, 3], true, false, false])
  assert.deepEqual(await page(String(ids[2]), 9, 9), [[0, 1, 2, 3, 4], true, true, true])
  assert.deepEqual(await page(String((ids[2] as number) + 1), 1, 1), [[2, 3], false, false, false])
  const narrow = termsOf('beanstalks', [])
  const unread = await otto.messages.list({ anchor: 'first_unread', num_before: 0, num_after: 0, narrow })
  assert.deepEqual([unread.anchor, unread.found_anchor], [ids[0], true])
})

test('search immediately reflects edited, moved and deleted messages', async () => {
  const id = await sendToStream(iris, 'garden', 'sheds', 'A ladder')
  const other = await sendToStream(iris, 'garden', 'sheds', 'A ladder too')
  await skip(1_200_000)
  assert.deepEqual(await found(otto, 'ladder'), [id, other])
  await iris.messages.edit({ message_id: id, content: 'A wheelbarrow' })
  assert.deepEqual(await found(otto, 'ladder'), [other])
  assert.deepEqual(await found(otto, 'wheelbarrow sheds'), [id])
  await iris.messages.edit({ message_id: id, topic: 'greenhouse', propagate_mode: 'change_all' })
  assert.deepEqual(await found(otto, 'wheelbarrow sheds'), [])
  assert.deepEqual(await found(otto, 'greenhouse'), [id, other])
  assert.deepEqual(await found(otto, 'ladder', ['topic', 'greenhouse']), [other])
  await world.owner.messages.edit({ message_id: other, stream_id: pond.stream_id })
  await world.settled()
  assert.deepEqual(await found(rosa, 'ladder', ['stream', 'pond']), [other])
  assert.deepEqual(await found(rosa, 'ladder', ['stream', 'garden']), [])
  // Users who received the message still find it, although they are not subscribed to the pond.
  assert.deepEqual(await found(iris, 'ladder'), [other])
  await world.owner.messages.remove({ message_id: other })
  assert.deepEqual(await found(iris, 'ladder'), [])
})

test('search finds starred messages of other streams, but no other messages of those streams', async () => {
  const id = await sendToStream(otto, 'pond', 'fish', 'A carp')
  await sendToStream(otto, 'pond', 'fish', 'Another carp')
  await skip(1_200_000)
  assert.deepEqual(await found(rosa, 'carp'), [])
  await rosa.messages.changeFlags({ messages: [id], op: 'add', flag: 'starred' })
  assert.deepEqual(await found(rosa, 'carp'), [id])
})

test('messages without index words are found once they are indexed', async () => {
  const id = await sendToStream(iris, 'garden', 'hedges', 'A hornbeam')
  await skip(1_200_000)
  const listUnindexed = () =>
    world.database.query<{ id: number }>('select id::int from message where words is null')
  const ids = await eventually(async () => {
    await world.database.query('update message set words = null, topic_words = null where id = $1', [id])
    const foundIds = await found(otto, 'hornbeam')
    // A scheduled run of the job may have indexed the message before the search.
    return (await listUnindexed()).length > 0 && foundIds
  })
  assert.deepEqual(ids, [])
  await indexMessages.run(world.nodes.a.app, {})
  // Until its commit, a scheduled run that began at the same time keeps the message from this one.
  await eventually(async () => (await listUnindexed()).length === 0)
  assert.deepEqual(await found(otto, 'hornbeam hedges'), [id])
})

/** A matcher whose comparisons all seem to take this long. */
class SlowMatcher extends Matcher {
  readonly #ms: number
  #count = 0

  constructor(ms: number) {
    super()
    this.#ms = ms
  }

  override get processorMs(): number {
    return this.#ms * this.#count
  }

  override async match<Result>(compare: () => Result): Promise<Result> {
    const result = await super.match(compare)
    this.#count++
    return result
  }
}

async function findTrellis(matcher: Matcher, to: 'older' | 'newer', limit: number) {
  const { app } = world.nodes.a
  const actor = { organization_id: world.organization_id, user_id: iris.user_id, role: Role.member }
  const narrow = await compileNarrow(app, app.db, actor as never, [])
  const from = to === 'older' ? Number.MAX_SAFE_INTEGER : 0
  return findMatches(app.db, actor as never, narrow, parseQuery('trellis'), { from, to, limit }, matcher)
}

test('a search that takes too long in total is refused', async () => {
  assert.equal((await findTrellis(new Matcher(performance.now() + 60_000), 'older', 1)).ids.length, 1)
  const late = new Matcher(performance.now() - 1)
  await assert.rejects(findTrellis(late, 'older', 1), { errorName: 'NARROW_TOO_SLOW' })
})

test('a search that has taken much processor time ends with the matches that it has, and is refused without any', async () => {
  const all = await findTrellis(new Matcher(), 'older', 100)
  assert.ok(all.ids.length > 3 && all.isComplete)
  for (const to of ['older', 'newer'] as const) {
    const ids = to === 'older' ? all.ids : all.ids.toReversed()
    assert.deepEqual(await findTrellis(new SlowMatcher(1), to, 100), { ids, isComplete: true })
    const { ids: first, isComplete } = await findTrellis(new SlowMatcher(150), to, 100)
    assert.deepEqual([first, isComplete], [ids.slice(0, 2), false])
    assert.deepEqual((await findTrellis(new SlowMatcher(5_000), to, 100)).ids, ids.slice(0, 1))
  }
  const matcher = new SlowMatcher(600)
  await matcher.match(() => undefined)
  await matcher.match(() => undefined)
  await assert.rejects(
    matcher.match(() => undefined),
    { errorName: 'NARROW_TOO_SLOW' },
  )
})

test('a node does other work while it compares long messages with a long query', async () => {
  const long = 'a.'.repeat(4_999)
  const msg_ids: MessageId[] = []
  for (let count = 0; count < 3; count++) msg_ids.push(await sendToStream(iris, 'garden', 'long', long))
  const narrow = termsOf('a.'.repeat(50), [])
  const searches = {
    list: () => iris.messages.list({ anchor: 'newest', num_before: 3, num_after: 0, narrow }),
    matchesNarrow: () => iris.messages.matchesNarrow({ msg_ids, narrow }),
  }
  for (const [name, search] of Object.entries(searches)) {
    const searched = search()
    let isSearching = true
    const end = () => {
      isSearching = false
    }
    searched.then(end, end)
    let longest = 0
    while (isSearching) {
      const began = process.threadCpuUsage()
      await setImmediate()
      longest = Math.max(longest, process.threadCpuUsage(began).user)
    }
    assert.ok(Object.keys((await searched).messages).length > 0)
    assert.ok(longest < 250_000, `${name}: ${longest / 1_000} ms`)
  }
})

test('search results highlight the matches', async () => {
  await sendToStream(iris, 'garden', 'quince & <co>', 'The **quinces** are ripe')
  const narrow = termsOf('quince', [])
  const { messages } = await iris.messages.list({
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow,
    apply_markdown: false,
  })
  const [message] = messages
  assert.equal(message?.content, 'The **quinces** are ripe')
  assert.equal(
    message?.match_content,
    '<p>The <strong><span class="highlight">quinces</span></strong> are ripe</p>',
  )
  assert.equal(message?.match_subject, '<span class="highlight">quince</span> &amp; &lt;co&gt;')
})

test('matches_narrow returns the given messages that match', async () => {
  const plum = await sendToStream(iris, 'garden', 'fruit', 'A plum')
  const pear = await sendToStream(iris, 'garden', 'fruit', 'A pear')
  const secret = await sendToStream(otto, 'cellar', 'fruit', 'A plum in the cellar')
  const msg_ids = [plum, pear, secret, 999_999_999]
  const matches = async (person: Person, ...terms: Terms) => {
    const narrow = terms.map(([operator, operand, negated = false]) => ({ operator, operand, negated }))
    return (await person.messages.matchesNarrow({ msg_ids, narrow })).messages
  }
  assert.deepEqual(await matches(iris, ['search', 'plums']), {
    [plum]: { match_content: '<p>A <span class="highlight">plum</span></p>', match_subject: 'fruit' },
  })
  assert.deepEqual(Object.keys(await matches(otto, ['search', 'plum'])), [String(plum), String(secret)])
  assert.deepEqual(Object.keys(await matches(otto, ['search', 'plum', true])), [String(pear)])
  assert.deepEqual(Object.keys(await matches(otto, ['search', 'fruit'], ['search', 'cellar'])), [
    String(secret),
  ])
  // `matches_narrow` matches each term separately: the message must contain one word and lack the
  // other.
  assert.deepEqual(Object.keys(await matches(otto, ['search', 'fruit'], ['search', 'cellar', true])), [
    String(plum),
    String(pear),
  ])
  assert.deepEqual(Object.keys(await matches(rosa)), [String(plum), String(pear)])
  assert.deepEqual(await matches(gus), {})
  assert.deepEqual(await matches(iris, ['is', 'private']), {})
  await assert.rejects(matches(iris, ['smell', 'x']), { errorName: 'BAD_NARROW' })
})
