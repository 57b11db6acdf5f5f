import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type RawRequest, request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world

const ignoredBy = async (rawRequest: RawRequest, status = 200) => {
  const response = await request(world.nodes.a.url, { credentials: owner, ...rawRequest })
  assert.equal(response.status, status, response.text)
  return response.body.ignored_parameters_unsupported
}

const user = `/api/v1/users/${owner.user_id}`

test('a response lists unknown parameters of query and body', async () => {
  const unknown = { zebra: 'x', apple: 'y' }
  assert.deepEqual(await ignoredBy({ path: user, query: unknown }), ['apple', 'zebra'])
  for (const body of [
    { form: unknown },
    { multipart: unknown },
    { json: { zebra: { toString: 1 }, apple: [2] } },
  ])
    assert.deepEqual(await ignoredBy({ method: 'PATCH', path: user, ...body }), ['apple', 'zebra'])
  assert.deepEqual(await ignoredBy({ path: '/api/v1/server_settings', query: unknown }), ['apple', 'zebra'])
})

test('an error response lists unknown parameters too', async () => {
  const form = { type: 'stream', to: 'garden', topic: 'roses', text: 'Pruned.' }
  assert.deepEqual(await ignoredBy({ method: 'POST', path: '/api/v1/messages', form }, 400), ['text'])
})

test('a response lists no parameters if every parameter is known', async () => {
  const acceptedRequests: RawRequest[] = [
    { path: user },
    { path: user, query: { client: 'MyScript', include_custom_profile_fields: 'true' } },
    { method: 'POST', path: '/api/v1/register', form: { fetch_event_types: '[]', lifespan_secs: '60' } },
    // These requests repeat path parameters: under the same name, under an alias, and as a JSON number.
    { method: 'PATCH', path: user, form: { user_id: String(owner.user_id) } },
    { method: 'PATCH', path: user, form: { id: String(owner.user_id) } },
    { method: 'PATCH', path: user, json: { person: owner.user_id } },
  ]
  for (const rawRequest of acceptedRequests)
    assert.equal(await ignoredBy(rawRequest), undefined, JSON.stringify(rawRequest))
})

test('a parameter name of the older product is accepted only from its clients', async () => {
  const query = { client_gravatar: 'true' }
  const asClient = (agent: string) => ignoredBy({ path: user, query, headers: { 'user-agent': agent } })
  assert.equal(await asClient('ZulipPython/0.9.1'), undefined)
  assert.deepEqual(await asClient('curl/8.0'), ['client_gravatar'])
})

test('many or long parameter names are truncated', async () => {
  const query = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`${i}`.padStart(120, 'x'), '']))
  const names = (await ignoredBy({ path: user, query })) as string[]
  assert.equal(names.length, 50)
  assert.ok(names.every((name) => name.length === 100))
})

test('a form part without a name is ignored', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const body = '--x\r\nContent-Disposition: form-data\r\n\r\nroses\r\n--x--\r\n'
  assert.equal(await ignoredBy({ method: 'PATCH', path: user, headers, body }), undefined)
})

test('a retried request lists its own unknown parameters', async () => {
  const call = (form: Record<string, string>) =>
    ignoredBy({ method: 'PATCH', path: user, form, headers: { 'idempotency-key': 'the-same-call' } })
  assert.deepEqual(await call({ full_name: 'Olga', nmae: 'Olga' }), ['nmae'])
  assert.equal(await call({ full_name: 'Olga' }), undefined)
})
