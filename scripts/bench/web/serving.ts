import { createOrganization, loadConfig, openApp } from '@oxbow/server'
import { createTestDatabase, eventually, testSecret } from '@oxbow/testkit'
import { buildWeb } from '../../build/build-web.ts'
import { median, print } from '../figures.ts'
import { exit, start } from '../http.ts'
import { load } from '../load.ts'
import { makeProbe, type Probe } from '../probe/ask-probe.ts'

const rounds = 5
const seconds = 4
const connections = 100
const person = {
  email: 'owner@garden.example',
  full_name: 'Olive Owner',
  password: 'a garden of one hundred roses',
}

/**
 * Compares GET / with a session to a bare Fastify route that returns the same bytes. Both are
 * measured in turn, so that noise of the machine affects both. Returns the median of the ratios.
 */
export async function benchServing({ profile }: { profile: boolean }): Promise<number> {
  await using database = await createTestDatabase()
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    OXBOW_SECRET: testSecret,
    OXBOW_RATE_LIMIT_PER_MINUTE: '0',
    OXBOW_CONNECTIONS_PER_ACCOUNT: '0',
    OXBOW_WEB_DIR: await buildWeb(),
  }
  await createOwner(database.url)
  const url = 'http://127.0.0.1:8591/'
  const probe = await makeProbe()
  const ours = start('apps/cli/bin/oxbow.js', ['serve', '--port', '8591'], { ...env, ...probe.env })
  try {
    const headers = { accept: 'text/html', cookie: await signIn(url), 'accept-encoding': 'br' }
    const body = await (await fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' } })).text()
    if (!body.includes('id="app"')) throw new Error(`GET / did not answer with the client:\n${body}`)
    const bareProbe = await makeProbe()
    const bare = start('scripts/bench/bare-fastify.ts', ['8592'], { ...env, ...bareProbe.env, BODY: body })
    const bareUrl = 'http://127.0.0.1:8592/'
    try {
      await eventually(() =>
        fetch(bareUrl).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      const ratio = await compare({ url, probe }, { url: bareUrl, probe: bareProbe }, headers)
      if (profile) {
        await probe.startProfile()
        await load(url, { headers, connections, seconds })
        print(`GET / under load:\n${(await probe.stopProfile()).join('\n')}`)
      }
      return ratio
    } finally {
      bare.kill()
      await exit(bare)
    }
  } finally {
    ours.kill()
    await exit(ours)
  }
}

interface Measured {
  url: string
  probe: Probe
}

/**
 * Compares the processor time of a request at both servers. Requests per second would depend on the
 * other load of the machine, because the two are measured in turn.
 */
async function compare(ours: Measured, bare: Measured, headers: Record<string, string>): Promise<number> {
  const measure = async ({ url, probe }: Measured) => {
    const before = await probe.cpu()
    const perSecond = await load(url, { headers, connections, seconds })
    return { perSecond, microseconds: (((await probe.cpu()) - before) * 1000) / (perSecond * seconds) }
  }
  // Warms up both servers, because the first requests compile code.
  await measure(ours)
  await measure(bare)
  const ratios: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const [we, they] = [await measure(ours), await measure(bare)]
    const ratio = they.microseconds / we.microseconds
    ratios.push(ratio)
    print(`round ${round}: GET / ${describe(we)}, bare Fastify ${describe(they)}, ratio ${ratio.toFixed(3)}`)
  }
  print(`web: median ratio ${median(ratios).toFixed(3)} of bare Fastify (at least 0.6 is wanted)`)
  return median(ratios)
}

const describe = ({ perSecond, microseconds }: { perSecond: number; microseconds: number }) =>
  `${Math.round(perSecond)} requests/s at ${Math.round(microseconds)} µs of processor time`

async function createOwner(database_url: string): Promise<void> {
  const { config } = loadConfig({ database_url, secret: testSecret, log_level: 'error' }, {})
  const { app, close } = await openApp(config)
  await createOrganization(app, { name: 'The Garden', subdomain: '', owner: person, streams: false }).finally(
    close,
  )
}

/** Waits for the node, signs in and returns the cookie. */
async function signIn(url: string): Promise<string> {
  const response = await eventually(async () => {
    const found = await fetch(`${url}api/v1/sessions`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ username: person.email, password: person.password }),
    }).catch(() => undefined)
    return found?.ok ? found : undefined
  })
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}
