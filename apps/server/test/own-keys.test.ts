import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listEndpoints } from '@oxbow/contract'
import { type Person, type RawRequest, request, startWorld, type World } from '@oxbow/testkit'
import { testSeed } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { type Fixtures, requestsTo } from './generated-requests.ts'

/** Property names that every object inherits. A lookup that finds them is a bug. */
const inherited = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf']
const samplesPerEndpoint = bySize({ gate: 1, long: 20 })
/** Matches endpoints that end the account or the organization, which other requests need. */
const destructiveEndpoints = /deactivate|erase|regenerate|delete|setPassword/i

let world: World
let otto: Person
let fixtures: Fixtures

before(async () => {
  world = await startWorld()
  otto = await world.person('otto')
  const bot = await world.bot('robot', world.owner)
  const hook = await world.bot('hook', world.owner, 2)
  const { stream_id } = await world.stream('garden', { members: [world.owner, otto] })
  const { id } = await world.owner.messages.send({
    type: 'stream',
    to: 'garden',
    topic: 'roses',
    content: 'Hi',
  })
  const { ids: drafts } = await world.owner.drafts.create({
    drafts: [{ type: '', to: [], topic: '', content: 'Prune' }],
  })
  fixtures = {
    hook,
    callers: [world.owner],
    ids: [otto.user_id, stream_id],
    messages: [id],
    scheduled: [1],
    drafts,
    people: [otto.user_id],
    bots: [bot.user_id],
    names: ['garden'],
    canary: 'canary',
  }
})
after(() => world[Symbol.asyncDispose]())

const fields = ['query', 'form', 'json', 'multipart'] as const

/**
 * Returns the request with every text replaced by the name, and with the name as an additional key
 * in every object.
 */
function withName(rawRequest: RawRequest, name: string): RawRequest {
  const changed = Object.fromEntries(
    fields.flatMap((field) => {
      const values = rawRequest[field]
      if (typeof values !== 'object' || values === null) return []
      return [
        [field, Object.fromEntries(Object.entries(values).map(([key, value]) => [key, put(value, name)]))],
      ]
    }),
  )
  return { ...rawRequest, ...changed }
}

function put(value: unknown, name: string): unknown {
  if (typeof value !== 'string') return replace(value, name)
  try {
    const parsed: unknown = JSON.parse(value)
    return typeof parsed === 'number' ? value : JSON.stringify(replace(parsed, name))
  } catch {
    return name
  }
}

function replace(value: unknown, name: string): unknown {
  if (typeof value === 'string') return name
  if (Array.isArray(value)) return value.map((item) => replace(item, name))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, child]) => [key, replace(child, name)])
  return Object.fromEntries([...entries, [name, name]])
}

for (const endpoint of listEndpoints()) {
  test(`${endpoint.name} treats inherited property names as unknown`, async () => {
    const samples = fc.sample(requestsTo(endpoint, fixtures), { numRuns: samplesPerEndpoint, seed: testSeed })
    const credentials = destructiveEndpoints.test(endpoint.name)
      ? { email: otto.email, api_key: 'x'.repeat(32) }
      : undefined
    for (const sample of samples) {
      const responses = await Promise.all(
        inherited.map(async (name) => {
          const rawRequest = withName(sample, name)
          const { status, text } = await request(world.nodes.a.url, {
            ...rawRequest,
            ...(credentials && { credentials }),
          })
          return { name, status, text }
        }),
      )
      for (const { name, status, text } of responses) assert.ok(status < 500, `${name}: ${status} ${text}`)
    }
  })
}

for (const path of ['/api/v1/messages', '/api/v1/messages/matches_narrow', '/api/v1/register']) {
  test(`${path} refuses inherited property names as operators and operands of narrows`, async () => {
    const ask = (narrow: unknown) => {
      const rawRequest = {
        narrow: JSON.stringify(narrow),
        anchor: 'newest',
        num_before: '1',
        num_after: '0',
        msg_ids: '[1]',
      }
      const sent = path.endsWith('register') ? { method: 'POST', form: rawRequest } : { query: rawRequest }
      return request(world.nodes.a.url, { path, credentials: world.owner, ...sent })
    }
    for (const name of inherited) {
      assert.equal((await ask([[name, 'x']])).status, 400, name)
      for (const operator of [
        'is',
        'has',
        'in',
        'streams',
        'stream',
        'topic',
        'sender',
        'pm-with',
        'search',
        'id',
      ])
        assert.ok((await ask([[operator, name]])).status < 500, `${operator}:${name}`)
    }
    assert.equal((await ask([])).status, 200)
  })
}

test('inherited property names are refused wherever the server looks up a name', async () => {
  const field_data = { rose: { text: 'Rose', order: '1' } }
  const { id } = await world.owner.profileFields.create({ name: 'Flower', field_type: 3, field_data })
  const [stream_id] = fixtures.ids.slice(-1)
  const lookUps: [method: string, path: string, form: (name: string) => Record<string, string>][] = [
    [
      'POST',
      '/users/me/subscriptions/properties',
      (property) => ({ subscription_data: JSON.stringify([{ stream_id, property, value: true }]) }),
    ],
    ['POST', '/messages', (type) => ({ type, to: 'garden', topic: 'roses', content: 'Hi' })],
    [
      'POST',
      '/realm/profile_fields',
      (subtype) => ({ name: 'Account', field_type: '7', field_data: JSON.stringify({ subtype }) }),
    ],
    ['PATCH', '/users/me/profile_data', (value) => ({ data: JSON.stringify([{ id, value }]) })],
  ]
  for (const [method, path, form] of lookUps) {
    for (const name of inherited) {
      const { status, text } = await request(world.nodes.a.url, {
        method,
        path: `/api/v1${path}`,
        credentials: world.owner,
        form: form(name),
      })
      assert.equal(status, 400, `${path} ${name}: ${text}`)
    }
  }
})

test('no server error was logged during the tests above', () => {
  assert.deepEqual(world.log.entries(50), [])
})
