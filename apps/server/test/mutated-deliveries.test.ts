import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { listServices, loadService } from '@oxbow/integrations'
import { type Fixture, readFixtures } from '@oxbow/integrations/fixtures'
import { basic, type Person, type RawRequest, request, startWorld } from '@oxbow/testkit'
import { testSeed } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'

const perService = bySize({ gate: 15, long: 200 })
/** Maximum number of fixtures tried per service. The first few of each cover most of the code. */
const maxFixtures = bySize({ gate: 3, long: 20 })

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
await world.stream('garden')
const bot = await world.bot('hook', world.owner, BotType.incomingWebhook)

for (const service of await listServices()) {
  test(`${service} accepts its fixtures, and handles broken ones without a server error`, async () => {
    const integration = await loadService(service)
    assert.ok(integration)
    const fixtures = (await readFixtures(service)).slice(0, maxFixtures)
    const isBasic = integration.authentication === 'basic'
    const send = (fixture: Fixture) => request(world.nodes.a.url, toRequest(service, fixture, isBasic))

    for (const { name, fixture, expected } of fixtures) {
      for (const [, stream] of expected?.matchAll(/^stream: (.+)$/gm) ?? [])
        await world.stream(stream as string)
      const { status, body } = await send(fixture)
      const isFine = !/^(refused|unsupported)/.test(expected ?? '')
      assert.equal(status, isFine ? 200 : 400, `${name}: ${JSON.stringify(body)}`)
    }
    const broken = fc.constantFrom(...fixtures.map(({ fixture }) => fixture)).chain(breakSomewhere)
    await fc.assert(
      fc.asyncProperty(broken, async (fixture) => {
        const { status, body } = await send(fixture)
        assert.ok(status === 200 || status === 400, JSON.stringify([status, body]))
        assert.ok(status === 200 || typeof body.code === 'string')
      }),
      { seed: testSeed, numRuns: perService, endOnFailure: true },
    )
    assert.deepEqual(world.log.entries(50), [])
  })
}

function toRequest(service: string, { headers, query, body, form }: Fixture, isBasic: boolean): RawRequest {
  return {
    method: 'POST',
    path: `/api/v1/external/${service}`,
    query: { ...query, stream: 'garden', ...(!isBasic && { api_key: (bot as Person).api_key }) },
    headers: { ...headers, ...(isBasic && { authorization: basic(bot) }) },
    ...(form ? { form } : { json: body ?? {} }),
  }
}

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    true,
    [],
    {},
    [null],
    '\0',
    '@**all**',
    '```',
    'x'.repeat(20_000),
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

/** Generates a copy of a fixture in which one member is removed or replaced. */
function breakSomewhere(fixture: Fixture): fc.Arbitrary<Fixture> {
  const payload = fixture.form ?? fixture.body
  const paths = listPaths(payload)
  if (paths.length === 0) return fc.constant(fixture)
  const change = fc.tuple(fc.constantFrom(...paths), fc.option(junk, { nil: undefined }))
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const broken = structuredClone(payload) as object
    // Copies the values, because a later change may be inside an earlier one.
    for (const [path, value] of changes) put(broken, path, structuredClone(value))
    return fixture.form ? { ...fixture, form: asTexts(broken) } : { ...fixture, body: broken }
  })
}

type Path = readonly string[]

function listPaths(value: unknown, before: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, member]) => [
    [...before, key],
    ...listPaths(member, [...before, key]),
  ])
}

function put(target: object, path: Path, value: unknown): void {
  const holder = path.slice(0, -1).reduce<unknown>((node, key) => {
    return node !== null && typeof node === 'object' ? (node as Record<string, unknown>)[key] : undefined
  }, target)
  const last = path.at(-1)
  if (holder === null || typeof holder !== 'object' || last === undefined) return
  if (value === undefined) delete (holder as Record<string, unknown>)[last]
  else (holder as Record<string, unknown>)[last] = value
}

const asTexts = (fields: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
