import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  basic,
  eventually,
  type MailServer,
  openEventStream,
  postFrom,
  request,
  startMailServer,
  startWebSite,
  type WebSite,
} from '@oxbow/testkit'
import { type Collector, startCollector } from './collector.ts'
import { ownerPassword, startTracedNode, type TracedNode } from './traced-node.ts'

/** Address of the linked site. It differs from the node's, because nodes do not fetch their own pages. */
const siteAddress = '127.0.0.2'
const text = 'The compost smells of violets'
const topic = 'secret beds'
const newEmail = 'olive@elsewhere.example'
const server = 2
const client = 3
const consumer = 5

let collector: Collector
let mail: MailServer
let site: WebSite
let traced: TracedNode

before(async () => {
  collector = await startCollector()
  mail = await startMailServer()
  site = await startWebSite({ '/hidden-page': '<title>Hidden</title>' }, siteAddress)
  traced = await startTracedNode({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=garden',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_SERVICE_NAME: 'garden-chat',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OXBOW_TRUSTED_PROXIES: '127.0.0.1',
    OXBOW_LINK_PREVIEWS: 'true',
    OXBOW_OUTWARD_ALLOWED_NETWORKS: siteAddress,
    OXBOW_SMTP_URL: mail.url,
    OXBOW_EXTERNAL_URL: 'http://chat.example',
    OXBOW_LOG_LEVEL: 'info',
    OXBOW_LOG_FORMAT: 'json',
  })
})
after(async () => {
  await traced[Symbol.asyncDispose]()
  await collector[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
})

const call = (method: string, path: string, form: Record<string, string>, headers = {}) =>
  request(traced.node.url, { method, path: `/api/v1${path}`, credentials: traced.owner, form, headers })

test('a request with a trace id from a trusted proxy joins that trace, with its statements', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  const message = { type: 'stream', to: 'general', topic, content: text }
  const { status } = await call('POST', '/messages', message, { traceparent, tracestate: 'garden=1' })
  assert.equal(status, 200)

  const span = await collector.waitForSpan((span) => span.traceId === traceId && span.kind === server)
  assert.equal(span.name, 'POST /api/v1/messages')
  assert.equal(span.parentId, 'b7ad6b7169203331')
  assert.equal(span.attributes['http.request.method'], 'POST')
  assert.equal(span.attributes['http.route'], '/api/v1/messages')
  assert.equal(span.attributes['http.response.status_code'], '200')
  assert.equal(span.hasFailed, false)
  assert.equal(span.resource['service.name'], 'garden-chat')
  assert.equal(span.resource['deployment.environment.name'], 'test')
  const statement = await collector.waitForSpan((other) => other.parentId === span.spanId)
  assert.equal(statement.traceId, traceId)
  assert.equal(statement.kind, client)
  assert.equal(statement.attributes['db.system.name'], 'postgresql')
  assert.ok(collector.requests.every(({ path }) => path === '/v1/traces'))
  assert.equal(collector.requests[0]?.headers['x-tenant'], 'garden')
})

test('a traced node logs the trace id of each request', async () => {
  const traceId = '1af7651916cd43dd8448eb211c80319c'
  await request(traced.node.url, {
    path: '/api/v1/users/me',
    credentials: traced.owner,
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  })
  await collector.waitForSpan((span) => span.traceId === traceId)
  await eventually(() => traced.node.output().includes(`"trace_id":"${traceId}"`))
})

test('spans of statements are children of the span of their transaction', async () => {
  await call('PATCH', '/settings', { full_name: 'Olive Green' })
  const change = await collector.waitForSpan(({ name }) => name === 'PATCH /api/v1/settings')
  const transaction = await collector.waitForSpan(
    ({ name, parentId }) => name === 'transaction' && parentId === change.spanId,
  )
  assert.equal(transaction.attributes['oxbow.transaction.end'], 'commit')
  const statement = await collector.waitForSpan(({ parentId }) => parentId === transaction.spanId)
  assert.match(statement.name, /^(select|insert|update|with)\b/)
})

test('a client that is not a trusted proxy cannot choose the trace id', async () => {
  const traceId = '2af7651916cd43dd8448eb211c80319c'
  const form = { username: 'nobody@garden.example', password: 'wrong' }
  const url = `${traced.node.url}/api/v1/fetch_api_key`
  await postFrom('127.0.0.3', url, form, { traceparent: `00-${traceId}-b7ad6b7169203331-01` })
  const span = await collector.waitForSpan(({ name }) => name === 'POST /api/v1/fetch_api_key')
  assert.notEqual(span.traceId, traceId)
  assert.equal(span.parentId, '')
  assert.match(span.attributes['oxbow.error_code'] ?? '', /^[A-Z_]+$/)
})

test('a request whose trace the proxy does not sample is not exported', async () => {
  const unsampled = '3af7651916cd43dd8448eb211c80319c'
  const sampled = '4af7651916cd43dd8448eb211c80319c'
  const read = (traceparent: string) =>
    request(traced.node.url, {
      path: '/api/v1/users',
      credentials: traced.owner,
      headers: { traceparent },
    })
  await read(`00-${unsampled}-b7ad6b7169203331-00`)
  await read(`00-${sampled}-b7ad6b7169203331-01`)
  await collector.waitForSpan(({ traceId, kind }) => traceId === sampled && kind === server)
  assert.deepEqual(
    collector.spans.filter(({ traceId }) => traceId === unsampled),
    [],
  )
})

test('an event stream has a span when it begins, and health checks have none', async () => {
  const { body } = await call('POST', '/register', { event_types: '["message"]' })
  const query = { queue_id: String(body.queue_id), last_event_id: String(body.last_event_id) }
  await request(traced.node.url, { path: '/health' })
  await using stream = await openEventStream(traced.node.url, { credentials: traced.owner, query })
  assert.equal(stream.status, 200)
  await collector.waitForSpan(({ name }) => name === 'GET /api/v1/events')
  assert.ok(collector.spans.every(({ name }) => !name.includes('health')))
})

test('jobs, e-mails and requests to other hosts have spans', async () => {
  const { status, text: answer } = await call('PATCH', '/settings', { email: newEmail })
  assert.equal(status, 200, answer)
  const link = site.url('/hidden-page', siteAddress)
  await call('PATCH', '/realm', { inline_url_embed_preview: 'true' })
  await call('POST', '/messages', { type: 'stream', to: 'general', topic, content: link })

  const sent = await collector.waitForSpan(({ name }) => name === 'send mail')
  const job = await collector.waitForSpan(({ spanId }) => spanId === sent.parentId)
  assert.equal(job.kind, consumer)
  assert.equal(job.name, `job ${job.attributes['oxbow.job.name']}`)
  assert.equal(job.parentId, '')
  const isFetch = ({ name, attributes }: { name: string; attributes: Record<string, string> }) =>
    name === 'GET' && attributes['http.response.status_code'] === '200'
  const fetched = await collector.waitForSpan(isFetch)
  assert.equal(fetched.kind, client)
  assert.ok(site.count('/hidden-page') > 0)
})

test('exported traces contain no keys, passwords, addresses or message texts', async () => {
  const { api_key, email } = traced.owner
  await request(traced.node.url, {
    method: 'POST',
    path: '/api/v1/fetch_api_key',
    form: { username: email, password: ownerPassword },
  })
  const unknownPath = 'lost-in-the-hedge'
  await request(traced.node.url, { path: `/${unknownPath}?key=${api_key}` })
  await request(traced.node.url, { path: `/api/v1/users/${email}`, credentials: traced.owner })
  await collector.waitForSpan(({ name }) => name === 'GET /api/v1/users/{email}')

  const exported = collector.bytes()
  // Proves that a search finds exported texts.
  assert.ok(exported.includes('/api/v1/messages'))
  const secrets = {
    api_key,
    ownerPassword,
    email,
    newEmail,
    text,
    topic,
    unknownPath,
    authorization: basic(traced.owner).slice('Basic '.length),
    page: 'hidden-page',
    address: '127.0.0.',
    database: new URL(traced.database.url).pathname.slice(1),
  }
  for (const [name, secret] of Object.entries(secrets))
    assert.equal(exported.includes(secret), false, `the ${name} is exported`)
})
