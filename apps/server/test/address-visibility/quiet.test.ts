import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Endpoint, listEndpoints } from '@oxbow/contract'
import { type RawRequest, request } from '@oxbow/testkit'
import { testSeed } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { type Fixtures, requestsTo } from '../generated-requests.ts'
import { type Scene, setScene } from './scene.ts'
import { countAddresses, type Visibility, visibility } from './visible-addresses.ts'

/** Matches endpoints that remove objects which later rounds need, or change who may see addresses. */
const excludedEndpoints =
  /^(organization\.|users\.(deactivate|erase|deactivateMe|reactivate|update|regenerateApiKey|create)$|streams\.archive)/

/** Values of the visibility setting. The long lane tries every change from one value to another. */
const values = bySize<readonly (1 | 3 | 4)[]>({ gate: [3, 4, 1], long: [3, 4, 3, 1, 4, 1] })

/** Generated requests to each endpoint per value. */
const samplesPerEndpoint = bySize({ gate: 1, long: 3 })

test('no response or refusal contains an address that the caller may not see', async () => {
  await using scene = await setScene()
  const { world, watchers } = scene
  const [owner] = watchers
  // Building a generator takes longer than drawing from it.
  const generators = listEndpoints()
    .filter(({ name }) => !excludedEndpoints.test(name))
    .map((named) => requestsTo(named, fixturesOf(scene)))
  for (const [round, value] of values.entries()) {
    await owner?.person.organization.update({ email_address_visibility: value })
    await world.settled()
    const generated = generators.flatMap((generator) =>
      fc.sample(generator, { seed: testSeed + round, numRuns: samplesPerEndpoint }),
    )
    const visibleCount = await countVisibleAddresses(
      scene,
      value,
      [...makeUserRequests(scene), ...generated],
      `round ${round}`,
    )
    // If the responses contained no address at all, the test would have checked nothing.
    assert.equal(visibleCount > 0, value !== visibility.nobody, `under ${value}`)
  }
})

function fixturesOf({ world, watchers, garden }: Scene): Fixtures {
  const people = [...watchers.map(({ person }) => person.user_id), world.owner.user_id]
  return {
    hook: world.owner,
    callers: watchers.map(({ person: { email, api_key } }) => ({ email, api_key })),
    ids: [garden.stream_id, ...people],
    people,
    bots: people,
    messages: [1, 2, 3],
    scheduled: [1],
    drafts: [1, 2, 3],
    names: ['garden', 'roses'],
    canary: 'none',
  }
}

/** Returns requests whose responses describe users, each of them once per watcher. */
function makeUserRequests({ watchers, gone, mover }: Scene): RawRequest[] {
  const page = { anchor: 'newest', num_before: '100', num_after: '0' }
  const toGone = { type: 'private', to: JSON.stringify([gone.user_id]), content: 'x' }
  const subscribe = {
    subscriptions: '[{"name":"pond"}]',
    principals: JSON.stringify([mover.user_id, gone.user_id]),
  }
  const calls: [Endpoint['method'], string, Record<string, string>?][] = [
    ['GET', '/users', { client_external_avatar: 'true', include_custom_profile_fields: 'true' }],
    ['GET', '/users/me'],
    ['GET', `/users/${mover.user_id}`],
    ['GET', `/users/${gone.user_id}`],
    ['GET', '/messages', page],
    ['GET', '/messages', { ...page, narrow: '[["is","private"]]' }],
    ['POST', '/register', { client_external_avatar: 'true', include_subscribers: 'true' }],
    ['GET', '/users/me/subscriptions', { include_subscribers: 'true' }],
    ['POST', '/messages', toGone],
    ['POST', '/users/me/subscriptions', subscribe],
    ['POST', '/users/me/subscriptions', { ...subscribe, principals: `[${mover.user_id}]` }],
  ]
  return watchers.flatMap(({ person }) =>
    calls.map(([method, path, params = {}]) => ({
      method,
      path: `/api/v1${path}`,
      credentials: person,
      ...(method === 'GET' ? { query: params } : { form: params }),
    })),
  )
}

const batchSize = 8

async function countVisibleAddresses(
  { world, watchers, addresses }: Scene,
  value: Visibility,
  requests: readonly RawRequest[],
  about: string,
): Promise<number> {
  let visibleCount = 0
  for (let start = 0; start < requests.length; start += batchSize) {
    await Promise.all(
      requests.slice(start, start + batchSize).map(async (rawRequest, index) => {
        const { text, headers } = await request(world.nodes[index % 2 ? 'a' : 'b'].url, rawRequest)
        const { credentials, ...asked } = rawRequest
        const watcher = watchers.find(({ person }) => person.api_key === credentials?.api_key)
        const viewer = watcher?.viewer ?? { user_id: 0 as never, role: 600 as const }
        const received = text + JSON.stringify([...headers])
        // `asked` omits the credentials, because no response repeats them.
        visibleCount += countAddresses(received, viewer, value, addresses, {
          asked: JSON.stringify(asked),
          about: `${about}: ${rawRequest.method} ${rawRequest.path}`,
        })
      }),
    )
  }
  return visibleCount
}
