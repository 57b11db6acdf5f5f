import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { listServices, loadService } from '@oxbow/integrations'
import { type Fixture, readFixtures } from '@oxbow/integrations/fixtures'
import {
  basic,
  freePort,
  type NodeProcess,
  type Person,
  request,
  startNodeProcess,
  startWorld,
  type World,
} from '@oxbow/testkit'
import { readMessages } from '@oxbow/testkit/calls/messages'
import { bySize, sampleInGate } from '@oxbow/testkit/size'
import { inflations } from './hostile-deliveries.ts'

/** Whether each service is tested with all inflations, instead of only one. */
const isLong = bySize({ gate: false, long: true })
/** Maximum time for which the event loop may be blocked, in milliseconds of CPU time. */
const maxBlockMs = 50
/**
 * Sizes in bytes: just below the limit for translation on the main thread, and just below the limit
 * of a delivery.
 */
const sizes = [190_000, 4_900_000]
const services = sampleInGate(await listServices(), 4)

let world: World
let bot: Person
let node: NodeProcess
let probe: string

before(async () => {
  // The process of the measured node is killed in the end, which would delay jobs of other test files.
  world = await startWorld({ ownServer: true })
  bot = await world.bot('hook', world.owner, BotType.incomingWebhook)
  await world.stream('garden')
  const port = await freePort()
  probe = `http://127.0.0.1:${port}/max`
  node = await startNodeProcess({
    database_url: world.database.url,
    env: {
      LOOP_PROBE_PORT: String(port),
      NODE_OPTIONS: `--import=${new URL('./loop-probe.ts', import.meta.url)}`,
    },
  })
})
after(async () => {
  await node[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const takeLongestBlock = async (): Promise<number> => Number(await (await fetch(probe)).text())

async function deliverFixture(service: string, { headers, query, body, form }: Fixture) {
  const isBasic = (await loadService(service))?.authentication === 'basic'
  return request(node.url, {
    method: 'POST',
    path: `/api/v1/external/${service}`,
    query: { ...query, stream: 'garden', ...(!isBasic && { api_key: bot.api_key }) },
    // Closes the connection, because building a large body may take longer than the node keeps an
    // idle connection open.
    headers: { ...headers, connection: 'close', ...(isBasic && { authorization: basic(bot) }) },
    ...(form ? { form } : { json: body ?? {} }),
  })
}

/**
 * Asserts that the work does not block the event loop for too long. Measures up to three times, because
 * compilation or garbage collection can slow down a single delivery.
 */
async function expectNoBlock(work: () => Promise<unknown>): Promise<void> {
  const blocks: number[] = []
  while (blocks.length < 3 && !blocks.some((ms) => ms < maxBlockMs)) {
    await takeLongestBlock()
    await work()
    blocks.push(await takeLongestBlock())
  }
  assert.ok(
    blocks.some((ms) => ms < maxBlockMs),
    `blocked for ${blocks.join(', ')} ms`,
  )
}

/** Delivers a fixture, and measures for how long the event loop was blocked meanwhile. */
async function deliverAndMeasure(t: TestContext, service: string, inflation: string, fixture: Fixture) {
  await takeLongestBlock()
  const start = performance.now()
  const { status } = await deliverFixture(service, fixture)
  const ms = performance.now() - start
  const blocked = await takeLongestBlock()
  t.diagnostic(
    `${service}, ${inflation}, ${sizeOf(fixture)} bytes: ${status}, ${Math.round(ms)} ms, blocked ${Math.round(blocked)} ms`,
  )
  return { status, blocked }
}

for (const [number, service] of services.entries()) {
  test(`no delivery of ${service} blocks the event loop, regardless of its size`, async (t) => {
    const fixtures = await readFixtures(service)
    const large = fixtures.toSorted((a, b) => sizeOf(b.fixture) - sizeOf(a.fixture))[0]?.fixture
    assert.ok(large)
    // Delivers before the measurement, because the first delivery loads the integration's modules.
    await deliverFixture(service, large)
    await deliverFixture(service, large)
    const names = Object.keys(inflations)
    const tried = isLong ? names : [names[number % names.length] as string]
    for (const name of tried) {
      for (const bytes of sizes) {
        // A form escapes most characters as three bytes.
        const size = large.form ? bytes / 3.2 : bytes
        const inflated = inflations[name]?.(structuredClone(large), size) as Fixture
        const { status, blocked } = await deliverAndMeasure(t, service, name, inflated)
        // Measures three times, because compilation or garbage collection can slow down a single delivery.
        const isSlow =
          blocked >= maxBlockMs &&
          (await deliverAndMeasure(t, service, name, inflated)).blocked >= maxBlockMs &&
          (await deliverAndMeasure(t, service, name, inflated)).blocked >= maxBlockMs
        assert.ok(!isSlow, `${name} of ${bytes} bytes blocked for ${blocked} ms`)
        assert.ok([200, 400, 413].includes(status))
      }
    }
  })
}

const sizeOf = ({ body, form }: Fixture): number => JSON.stringify(body ?? form).length

const article = { featured_title: 'Roses', featured_url: 'https://garden.example/roses' }
const deliver = (delivery: object, service = 'helloworld') =>
  request(node.url, {
    method: 'POST',
    path: `/api/v1/external/${service}`,
    query: { api_key: bot.api_key, stream: 'garden' },
    ...delivery,
  })

test('large malformed deliveries get the same errors as small ones', async () => {
  const long = 'x'.repeat(300_000)
  const nested = `${'['.repeat(150)}${']'.repeat(150)}`
  const cases: [params: object, status: number, code?: string][] = [
    [{ json: { ...article, long } }, 200],
    [{ body: `{"long": "${long}"` }, 400, 'INVALID_JSON'],
    [{ body: `"${'\\"'.repeat(49_999)}` }, 400, 'INVALID_JSON'],
    [{ json: { long } }, 400, 'ANOMALOUS_WEBHOOK_PAYLOAD'],
    [{ multipart: { long } }, 400, 'INVALID_JSON'],
    [{ body: long, headers: { 'content-type': 'multipart/form-data; boundary=x' } }, 400, 'BAD_REQUEST'],
    [{ json: { ...article, long: Array(300_000).fill(0) } }, 400, 'BAD_REQUEST'],
    [{ body: `{"nested": ${nested}}` }, 400, 'BAD_REQUEST'],
  ]
  for (const [delivery, status, code] of cases) {
    await expectNoBlock(async () => {
      const response = await deliver(delivery)
      assert.deepEqual([response.status, response.body.code], [status, code], response.text)
    })
  }
  const { body } = await deliver({ body: `{"nested": ${nested}}` })
  assert.equal(body.msg, 'The payload has more than 200000 values or nests deeper than 100 levels')
})

test('a refused delivery with many fields named like secrets does not block the node', async () => {
  const secret = (_: unknown, index: number) => [`key${index}`, `${'x'.repeat(4_000)}${index}`]
  const form = Object.fromEntries(Array.from({ length: 900 }, secret))
  await deliver({ form })
  await expectNoBlock(async () => assert.equal((await deliver({ form })).status, 400))
})

test('one delivery becomes at most 100 messages, and the last one says how many were omitted', async () => {
  const alerts = Array.from({ length: 150 }, (_, index) => ({
    status: 'firing',
    labels: { instance: `web-${index}`, alertname: 'High' },
  }))
  assert.equal((await deliver({ json: { alerts } }, 'alertmanager')).status, 200)
  const [last] = await readMessages(world.owner, { topic: 'web-99' })
  assert.equal(last?.content, '… and 51 more')
  assert.deepEqual(await readMessages(world.owner, { topic: 'web-100' }), [])
})
