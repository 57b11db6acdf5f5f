import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listEndpoints } from '@oxbow/contract'
import { basic, fetchAt, type RawResponse, request, signIn, startWorld } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'

const external_url = 'https://chat.example'
const world = await startWorld({ config: { external_url } })
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = [await world.person('iris', 'guest'), await world.person('otto')]

const origins = {
  own: external_url,
  sibling: 'https://tea.chat.example',
  foreign: 'https://evil.example',
  'own by http': 'http://chat.example',
  null: 'null',
  missing: undefined,
}
const sites = ['same-origin', 'same-site', 'cross-site', 'none', undefined]

interface RequestOrigin {
  origin: keyof typeof origins
  site: string | undefined
}

const combinations: RequestOrigin[] = sites.flatMap((site) =>
  Object.keys(origins).map((origin) => ({ origin: origin as keyof typeof origins, site })),
)
const isOwn = ({ origin, site }: RequestOrigin) =>
  site === 'same-origin' || (site === undefined && origin === 'own')

const headersOf = ({ origin, site }: RequestOrigin): Record<string, string> => ({
  ...(origins[origin] && { origin: origins[origin] }),
  ...(site && { 'sec-fetch-site': site }),
})

const changingEndpoints = listEndpoints().filter(
  ({ endpoint: { auth, method } }) => auth === 'user' && method !== 'GET',
)

/** Replaces the parameters of a path by valid values. */
const examplePath = (path: string) =>
  path.replace(/\{\w*(email|user_id_or)\w*\}/g, 'x@y.z').replace(/\{\w+\}/g, '1')

const cookieOf = async (person = otto) => (await signIn(world, person)).cookie

const code = ({ body }: RawResponse) => body.code

test('a state-changing request with a session is refused unless a page of the same origin made it', async () => {
  // The gate tries every combination at least once, but only a few of them per endpoint.
  const step = bySize({ gate: 6, long: 1 })
  const foreign = combinations.filter((from) => !isOwn(from))
  const cookie = await cookieOf()
  for (const [index, { name, endpoint }] of changingEndpoints.entries()) {
    const tried = foreign.filter((_, number) => (number + index) % step === 0)
    for (const from of tried) {
      const { method, path } = endpoint
      const response = await request(world.nodes.a.url, {
        method,
        path: examplePath(path),
        headers: { ...headersOf(from), cookie },
      })
      assert.deepEqual(
        [response.status, code(response)],
        [403, 'CROSS_ORIGIN'],
        `${name} ${JSON.stringify(from)}`,
      )
    }
  }
})

test('a request with a session from a page of the same origin is not refused for its origin', async () => {
  for (const { name, endpoint } of changingEndpoints) {
    // A new session each time, because the call may end the session.
    const cookie = await cookieOf(iris)
    for (const from of [
      { origin: 'own', site: undefined },
      { origin: 'missing', site: 'same-origin' },
    ] as const) {
      const { method, path } = endpoint
      const headers = { ...headersOf(from), cookie }
      const response = await request(world.nodes.b.url, { method, path: examplePath(path), headers })
      assert.notEqual(code(response), 'CROSS_ORIGIN', name)
      assert.notEqual(response.status, 500, name)
    }
    await world.database.query('update user_account set is_active = true')
  }
})

test('requests with an API key are served from any origin', async () => {
  for (const from of combinations) {
    const { status } = await request(world.nodes.a.url, {
      method: 'POST',
      path: '/api/v1/users/me/alert_words',
      form: { alert_words: '["roses"]' },
      headers: { ...headersOf(from), authorization: basic(otto) },
    })
    assert.equal(status, 200, JSON.stringify(from))
  }
})

test('signing in is refused unless a page of the same origin makes the request', async () => {
  const form = { username: otto.email, password: otto.password }
  for (const from of combinations) {
    const { status, headers } = await request(world.nodes.a.url, {
      method: 'POST',
      path: '/api/v1/sessions',
      form,
      headers: headersOf(from),
    })
    assert.equal(status, isOwn(from) ? 200 : 403, JSON.stringify(from))
    assert.equal(headers.has('set-cookie'), isOwn(from))
  }
})

test('another site cannot read the API with the cookie, but may link to pages', async () => {
  const cookie = await cookieOf()
  // The built-in fetch sets `Sec-Fetch-Mode` itself, so another client is used.
  const read = async (path: string, headers: Record<string, string>) =>
    (await fetchAt('chat.example')(`${world.nodes.a.url}${path}`, { headers: { ...headers, cookie } })).status

  for (const path of ['/api/v1/users/me', `/avatar/${otto.user_id}`])
    for (const site of sites) {
      const isForeign = site === 'same-site' || site === 'cross-site'
      const expected = path.startsWith('/api/') ? 200 : 302
      assert.equal(await read(path, site ? { 'sec-fetch-site': site } : {}), isForeign ? 401 : expected, path)
    }
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  assert.equal(await read(`/avatar/${otto.user_id}`, link), 302)
  assert.equal(await read('/api/v1/users/me', link), 401)
})

test('no response allows other origins to read it', async () => {
  const cookie = await cookieOf()
  for (const method of ['GET', 'OPTIONS', 'POST']) {
    const { headers } = await request(world.nodes.a.url, {
      method,
      path: '/api/v1/users/me/alert_words',
      headers: { cookie, origin: 'https://tea.chat.example', 'access-control-request-method': 'POST' },
    })
    assert.deepEqual(
      [...headers.keys()].filter((name) => name.startsWith('access-control')),
      [],
    )
  }
})
