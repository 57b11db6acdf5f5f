import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrganizationId, UserId } from '@oxbow/contract'
import { type CacheEntry, CoherentCache } from './coherent-cache.ts'
import type { EventLog } from './log/event-log.ts'
import type { Effect } from './record.ts'

const [garden, hill] = [1, 2] as [OrganizationId, OrganizationId]
const [nobody, iris] = [0, 7] as [UserId, UserId]

function makeCache() {
  let invalidate: (organization: OrganizationId, effect: Effect | 'all') => void = () => {}
  const followed = { followedAt: 0 }
  const log = {
    organizations: new Map([
      [garden, followed],
      [hill, followed],
    ]),
    isLeased: () => true,
    onInvalidate: (listener: typeof invalidate) => {
      invalidate = listener
    },
  }
  const cache = new CoherentCache<string>(log as unknown as EventLog)
  return {
    cache,
    invalidate: (organization: OrganizationId, effect: Effect) => invalidate(organization, effect),
  }
}

const entries: Record<string, Omit<CacheEntry<string>, 'value'>> = {
  account: { organization_id: garden, user_id: iris },
  words: { organization_id: garden, user_id: nobody, subject: 'words' },
  colors: { organization_id: garden, user_id: nobody, subject: 'colors' },
  elsewhere: { organization_id: hill, user_id: nobody, subject: 'words' },
}

async function makeFilledCache() {
  const base = makeCache()
  for (const [key, entry] of Object.entries(entries))
    await base.cache.get(key, async () => ({ value: key, ...entry }))
  return { ...base, known: () => Object.keys(entries).filter((key) => base.cache.find(key) !== undefined) }
}

test('an organization effect with a subject invalidates only entries of that subject', async () => {
  const { invalidate, known } = await makeFilledCache()
  invalidate(garden, { kind: 'organization', subject: 'words' })
  assert.deepEqual(known(), ['account', 'colors', 'elsewhere'])
  invalidate(garden, { kind: 'user', user: iris })
  assert.deepEqual(known(), ['colors', 'elsewhere'])
})

test('an organization effect without a subject invalidates all entries of the organization', async () => {
  const { invalidate, known } = await makeFilledCache()
  invalidate(garden, { kind: 'organization' })
  assert.deepEqual(known(), ['elsewhere'])
})

test('a value that is invalidated while it is read is not cached', async () => {
  for (const subject of ['words', 'colors', undefined]) {
    const { cache, invalidate } = makeCache()
    const read = await cache.get('words', async () => {
      invalidate(garden, { kind: 'organization', ...(subject && { subject }) })
      return { value: 'read', ...entries.words } as CacheEntry<string>
    })
    assert.equal(read, 'read')
    assert.equal(cache.find('words'), subject === 'colors' ? 'read' : undefined)
  }
})
