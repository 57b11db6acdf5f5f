import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOrganization, loadConfig, startNode } from '@oxbow/server'
import {
  eventually,
  LogCapture,
  patientLimits,
  request,
  startPostgresServer,
  testSecret,
} from '@oxbow/testkit'

interface Status {
  status: string
  components: Record<string, { state: string; since: string | null }>
}

test('the status page shows the start and the end of a PostgreSQL outage, and no secrets', async () => {
  await using postgres = await startPostgresServer({ database: 'oxbow_status' })
  const settings = { database_url: postgres.url('oxbow_status'), secret: testSecret, port: '0' }
  const node = await startNode(loadConfig(settings, {}).config, {
    logTo: new LogCapture(),
    passwordCost: 'cheap',
    monitorMs: 200,
  })
  const readStatus = async (): Promise<Status> => {
    const { status, body } = await request(node.url, { path: '/status' })
    assert.equal(status, 200)
    return body as unknown as Status
  }
  const readPage = (language = 'en') =>
    request(node.url, { path: '/status', headers: { accept: 'text/html', 'accept-language': language } })
  try {
    const owner = { email: 'olive@secret-garden.example', full_name: 'Olive Owner' }
    await createOrganization(node.app, { name: 'Secret Garden', subdomain: 'hidden', owner })
    // The first observation of a busy machine can find a slow database.
    const before = await eventually(async () => {
      const read = await readStatus()
      return read.status === 'working' && Object.keys(read.components).length > 0 && read
    })
    // No mail server is configured, so e-mail is not listed.
    const states = Object.entries(before.components).map(([component, { state }]) => [component, state])
    assert.deepEqual(Object.fromEntries(states), {
      database: 'working',
      events: 'working',
      files: 'working',
      jobs: 'working',
    })
    // Unlike the other components, files do not depend on the speed of PostgreSQL.
    assert.equal(before.components.files?.since, null)

    const killedAt = Date.now()
    postgres.kill()
    const away = await eventually(async () => {
      const read = await readStatus()
      return read.status === 'down' && read
    }, 60_000)
    const { database, files } = away.components
    assert.equal(database?.state, 'down')
    assert.equal(files?.state, 'working')
    const since = Date.parse(database?.since ?? '')
    assert.ok(since >= killedAt && since <= Date.now(), database?.since ?? 'no time')
    const page = await readPage()
    assert.equal(page.status, 200)
    assert.match(page.text, /<h1>The server does not work at the moment<\/h1>/)
    assert.match(page.text, /<time datetime="20/)
    assert.match((await readPage('de')).text, /Der Server funktioniert im Moment nicht/)
    // The start of the outage stays the same in later responses.
    assert.deepEqual((await readStatus()).components.database, database)

    postgres.start()
    const back = await eventually(async () => {
      const read = await readStatus()
      return read.status === 'working' && read
    }, 120_000)
    assert.ok(Date.parse(back.components.database?.since ?? '') >= since)

    for (const { text } of [page, await readPage(), await request(node.url, { path: '/status' })])
      assert.doesNotMatch(text, /secret|hidden|olive|garden|postgres|5432|127\.0\.0\.1|oxbow_status|ECONN/i)
  } finally {
    await node.stop()
  }
})

test('the status page is the same for every host, account and parameter', async () => {
  await using postgres = await startPostgresServer({ database: 'oxbow_status' })
  const settings = { database_url: postgres.url('oxbow_status'), secret: testSecret, port: '0' }
  const node = await startNode(loadConfig(settings, {}).config, {
    ...patientLimits,
    logTo: new LogCapture(),
    monitorMs: 200,
  })
  try {
    await eventually(async () => (await request(node.url, { path: '/status' })).text.includes('events'))
    const headers = [
      {},
      { host: 'hidden.example' },
      { host: '"><script>alert(1)</script>' },
      { authorization: 'Basic bm9ib2R5Om5vdGhpbmc=' },
      { 'x-forwarded-host': 'evil.example' },
    ]
    const readTexts = () =>
      Promise.all(
        headers.map(
          async (each) => (await request(node.url, { path: '/status?a="><b>', headers: each })).text,
        ),
      )
    // The state of the server can change between two of the responses.
    await eventually(async () => new Set(await readTexts()).size === 1)
  } finally {
    await node.stop()
  }
})
