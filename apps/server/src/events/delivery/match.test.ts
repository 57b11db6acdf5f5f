import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Generation, Role, type UserId } from '@oxbow/contract'
import type { EventFilter } from '../event-shape.ts'
import { generationOf } from '../queue-options.ts'
import type { Audience, Header, LogRecord } from '../record.ts'
import { getFlags, isInAudience, shouldDeliver } from './match.ts'
import { NarrowFilters } from './narrow.ts'
import { Periods } from './periods.ts'
import type { Account, Queue } from './queue.ts'

const [garden, kitchen] = [4, 5]
const iris = 7 as UserId

type SubscriptionPeriod = [from: number, to?: number]

/** Builds an account with these subscription periods, in outbox ids. */
function accountOf(streams: Record<number, SubscriptionPeriod[]>, role: Role = Role.member): Account {
  const periodsOf = (periods: SubscriptionPeriod[]) =>
    new Periods(periods.map(([from, to = null]) => ({ value: true as const, from, to })))
  const entries = Object.entries(streams).map(([id, periods]) => [Number(id), periodsOf(periods)] as const)
  return {
    user_id: iris,
    isBot: false,
    roles: new Periods([{ value: role, from: 0, to: null }]),
    streams: new Map(entries),
  } as unknown as Account
}

const recordOf = (header: Header, outboxId = 100): LogRecord => ({
  seq: outboxId,
  eventCount: 1,
  tx: 100,
  outboxId,
  header: { type: 'message', ...header },
  event: JSON.stringify({ type: 'message', message: { type: 'stream', subject: 'roses' } }),
})

const queueOf = (account: Account, options: Partial<Queue['options']> = {}): Queue =>
  ({
    account,
    generation: generationOf(options),
    cut: { seq: 0, xmin: 0, xmax: 0, running: new Set() },
    options: { narrow: [], all_public_streams: false, ...options },
  }) as unknown as Queue

const isIncluded = (to: Audience, streams: Record<number, SubscriptionPeriod[]>) =>
  isInAudience(accountOf(streams), recordOf({ to }))

test('an audience with `received` excludes subscribers who were not in the named stream at the named outbox id', () => {
  const to: Audience = { stream: garden, received: { stream: garden, at: 50 } }
  assert.equal(isIncluded(to, { [garden]: [[10]] }), true)
  assert.equal(isIncluded(to, { [garden]: [[50]] }), true)
  assert.equal(isIncluded(to, { [garden]: [[51]] }), false)
  assert.equal(isIncluded(to, { [garden]: [[10, 50], [60]] }), false)
  assert.equal(isIncluded(to, { [garden]: [[10, 51], [60]] }), true)
  assert.equal(isIncluded(to, { [garden]: [[10, 60]] }), false)
  assert.equal(isIncluded({ ...to, former: true }, { [garden]: [[10, 60]] }), true)

  const moved: Audience = { stream: garden, received: { stream: kitchen, at: 50 } }
  assert.equal(isIncluded(moved, { [garden]: [[10]] }), false)
  assert.equal(isIncluded(moved, { [garden]: [[60]], [kitchen]: [[10, 55]] }), true)
  assert.equal(isIncluded(moved, { [kitchen]: [[10]] }), false)
})

test('`received` does not restrict accounts that are named or match by role', () => {
  const received = { stream: garden, at: 50 }
  assert.equal(isIncluded({ users: [iris], stream: garden, received }, {}), true)
  assert.equal(isIncluded({ roles: [Role.member], stream: garden, received }, { [garden]: [[60]] }), true)
  assert.equal(isIncluded({ roles: [Role.guest], stream: garden, received }, { [garden]: [[60]] }), false)
})

test('a queue with all_public_streams gets public records regardless of `received`, although its account is not in the audience', () => {
  const to: Audience = { stream: garden, received: { stream: garden, at: 50 } }
  const lateSubscriber = accountOf({ [garden]: [[60]] })
  const [publicRecord, privateRecord] = [recordOf({ to, isPublic: true }), recordOf({ to })]

  assert.equal(shouldDeliver(queueOf(lateSubscriber, { all_public_streams: true }), publicRecord), true)
  assert.equal(isInAudience(lateSubscriber, publicRecord), false)
  assert.equal(shouldDeliver(queueOf(lateSubscriber), publicRecord), false)
  assert.equal(shouldDeliver(queueOf(lateSubscriber, { all_public_streams: true }), privateRecord), false)
  const guest = accountOf({}, Role.guest)
  assert.equal(shouldDeliver(queueOf(guest, { all_public_streams: true }), publicRecord), false)
})

test('a reader gets their own flags, or else flagsOfAll, and readers outside the audience get no flags', () => {
  const inGarden = accountOf({ [garden]: [[10]] })
  const outside = accountOf({ [garden]: [[10, 60]] })
  const flags = { [iris]: ['read', 'mentioned'] }
  const flagsOfAll = ['wildcard_mentioned']
  const to: Audience = { stream: garden }
  const cases: [
    header: Header,
    inside: readonly string[] | undefined,
    outside: readonly string[] | undefined,
  ][] = [
    [{ to }, undefined, undefined],
    [{ to, flags: {} }, [], []],
    [{ to, flags }, ['read', 'mentioned'], []],
    [{ to, flags, flagsOfAll }, ['read', 'mentioned'], []],
    [{ to, flags: { 8: ['read'] }, flagsOfAll }, flagsOfAll, []],
    [{ to, flagsOfAll }, flagsOfAll, []],
    [{ to: { users: [iris] }, flags }, ['read', 'mentioned'], ['read', 'mentioned']],
    [{ to: { ...to, received: { stream: garden, at: 5 } }, flags, flagsOfAll }, [], []],
    [{ flags, flagsOfAll, isPublic: true }, [], []],
  ]
  for (const [header, inside, without] of cases) {
    const record = recordOf(header)
    assert.deepEqual(getFlags(inGarden, record), inside, JSON.stringify(header))
    assert.deepEqual(getFlags(outside, record), without, JSON.stringify(header))
  }
})

test('a narrow is matched against the flags of the reader', () => {
  const inGarden = accountOf({ [garden]: [[10]] })
  const is: EventFilter = (_event, flags, kind) =>
    kind === 'unread' ? !flags.includes('read') : flags.includes(kind)
  const narrows = new NarrowFilters([
    { type: 'message', filters: { is }, variant: () => '', render: () => [] },
  ])
  const queueWithNarrow = (kind: string, account = inGarden, options: Partial<Queue['options']> = {}) => ({
    ...queueOf(account, options),
    matchesNarrow: narrows.compile([['is', kind]]),
  })
  const allPublicQueue = queueWithNarrow('unread', accountOf({}), { all_public_streams: true })
  const to: Audience = { stream: garden }
  const read = recordOf({ to, flags: { [iris]: ['read'] }, isPublic: true })
  const mentioned = recordOf({ to, flags: { [iris]: ['mentioned'] } })
  const starred = recordOf({ to, flags: {}, flagsOfAll: ['starred', 'read'] })
  const forAll = recordOf({ to, flags: {}, flagsOfAll: ['wildcard_mentioned'] })

  assert.equal(shouldDeliver(queueWithNarrow('unread'), read), false)
  assert.equal(
    shouldDeliver(allPublicQueue, read),
    true,
    'what is read for others is not for those it was not meant for',
  )
  assert.equal(shouldDeliver(queueWithNarrow('unread'), mentioned), true)
  assert.equal(shouldDeliver(queueWithNarrow('mentioned'), mentioned), true)
  assert.equal(
    shouldDeliver(queueWithNarrow('mentioned'), forAll),
    false,
    'a mention of everyone is not a mention of the reader',
  )
  assert.equal(shouldDeliver(queueWithNarrow('starred'), starred), true)
  assert.equal(shouldDeliver(queueWithNarrow('unread'), starred), false)
})

test('a type of a later generation goes to queues of that generation that ask for all types, and to all that name it', () => {
  const account = accountOf({})
  const record = recordOf({ type: 'user_topic', to: { users: [iris] } })
  const isDelivered = (generation: Generation | undefined, types?: ReadonlySet<string>) =>
    shouldDeliver({ ...queueOf(account, generation && { generation }), types } as Queue, record)

  assert.equal(isDelivered(371), true)
  assert.equal(isDelivered(27), false)
  assert.equal(isDelivered(undefined), false, 'a queue of an older release')
  assert.equal(isDelivered(27, new Set(['user_topic'])), true)
  assert.equal(isDelivered(371, new Set(['message'])), false)
})

test('an event `since` a generation goes to no queue of an earlier one, even if it names the type', () => {
  const record = recordOf({ type: 'realm', since: 371, to: { users: [iris] } })
  const isDelivered = (generation: Generation, types?: ReadonlySet<string>) =>
    shouldDeliver({ ...queueOf(accountOf({}), { generation }), types } as Queue, record)

  assert.equal(isDelivered(371), true)
  assert.equal(isDelivered(27), false)
  assert.equal(isDelivered(27, new Set(['realm'])), false)
})

test('an audience of guests who see a person is matched by the streams of each guest', () => {
  const guests = { streams: [4, 5], users: [iris] }
  const isMatched = (role: Role, streams: readonly number[], to: Audience) => {
    const periods = Object.fromEntries(streams.map((stream) => [stream, [[10]] as SubscriptionPeriod[]]))
    return isInAudience(accountOf(periods, role), recordOf({ to }))
  }
  assert.equal(isMatched(Role.guest, [5], { guests: { streams: [4, 5] } }), true)
  assert.equal(isMatched(Role.guest, [6], { guests: { streams: [4, 5] } }), false)
  assert.equal(isMatched(Role.member, [5], { guests: { streams: [4, 5] } }), false)
  assert.equal(isMatched(Role.member, [], { guests }), true)
  assert.equal(isMatched(Role.guest, [6], { guests: { streams: [4], inverted: true } }), true)
  assert.equal(isMatched(Role.guest, [4], { guests: { streams: [4], inverted: true } }), false)
  assert.equal(isMatched(Role.guest, [6], { guests: { streams: [4], inverted: true, within: 7 } }), false)
  assert.equal(isMatched(Role.guest, [7], { guests: { streams: [4], inverted: true, within: 7 } }), true)
  assert.equal(isMatched(Role.member, [], { guests: { users: [iris], inverted: true } }), false)
})
