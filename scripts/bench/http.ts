import { type ChildProcess, spawn } from 'node:child_process'
import { createOrganization, loadConfig, openApp } from '@oxbow/server'
import { basic, createTestDatabase, eventually, testSecret } from '@oxbow/testkit'
import { median, print } from './figures.ts'
import { load } from './load.ts'
import { makeProbe } from './probe/ask-probe.ts'
import { record } from './results.ts'

const rounds = 5
const seconds = 4
const connections = 100

/**
 * Compares GET /users/me with credentials to a bare Fastify route that returns the same bytes. Both
 * are measured in turn, so that noise of the machine affects both. Returns the median of the
 * ratios.
 */
export async function benchHttp({ profile }: { profile: boolean }): Promise<number> {
  await using database = await createTestDatabase()
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    OXBOW_SECRET: testSecret,
    OXBOW_RATE_LIMIT_PER_MINUTE: '0',
    OXBOW_CONNECTIONS_PER_ACCOUNT: '0',
  }
  const account = await createAccount(database.url)
  const authorization = basic(account)
  const probe = await makeProbe()

  const ours = start('apps/cli/bin/oxbow.js', ['serve', '--port', '8591'], { ...env, ...probe.env })
  const url = 'http://127.0.0.1:8591/api/v1/users/me'
  const body = await answerOf(url, authorization)
  const bare = start('scripts/bench/bare-fastify.ts', ['8592'], { ...env, BODY: body })
  const bareUrl = 'http://127.0.0.1:8592/api/v1/users/me'
  await answerOf(bareUrl, authorization)
  try {
    // Warms up both servers, because the first requests compile code.
    await load(url, { authorization, connections, seconds })
    await load(bareUrl, { authorization, connections, seconds: 2 })
    const ratios: number[] = []
    for (let round = 1; round <= rounds; round++) {
      const [we, they] = [
        await load(url, { authorization, connections, seconds }),
        await load(bareUrl, { authorization, connections, seconds }),
      ]
      ratios.push(we / they)
      print(
        `round ${round}: Oxbow ${Math.round(we)} requests/s, bare Fastify ${Math.round(they)} requests/s, ratio ${(we / they).toFixed(3)}`,
      )
    }
    record({
      bench: 'http',
      name: 'GET /users/me',
      value: median(ratios),
      unit: 'of bare Fastify',
      better: 'more',
    })
    print(`http: median ratio ${median(ratios).toFixed(3)} of bare Fastify (at least 0.5 is wanted)`)
    if (profile) {
      await probe.startProfile()
      await load(url, { authorization, connections, seconds })
      print(`Oxbow under load:\n${(await probe.stopProfile()).join('\n')}`)
    }
    return median(ratios)
  } finally {
    ours.kill()
    bare.kill()
    await Promise.all([exit(ours), exit(bare)])
  }
}

export async function createAccount(database_url: string): Promise<{ email: string; api_key: string }> {
  const { config } = loadConfig({ database_url, secret: testSecret, log_level: 'error' }, {})
  const { app, close } = await openApp(config)
  const owner = { email: 'owner@garden.example', full_name: 'Olive Owner' }
  return createOrganization(app, { name: 'The Garden', subdomain: '', owner, streams: false }).finally(close)
}

export function start(file: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

export async function answerOf(url: string, authorization: string): Promise<string> {
  return eventually(async () => {
    const response = await fetch(url, { headers: { authorization } }).catch(() => undefined)
    return response?.ok ? response.text() : undefined
  })
}

export const exit = (child: ChildProcess) =>
  child.exitCode === null ? new Promise((resolve) => child.on('exit', resolve)) : undefined
