import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { request, startWorld } from '@oxbow/testkit'

const world = await startWorld({ ownServer: true, config: { rate_limit_per_minute: 0 } })
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')

const report = {
  message: `boom\u009b[31m${'x'.repeat(1_000)}`,
  stacktrace: 'at Composer\nat App',
  ui_message: true,
  user_agent: 'Browser/1',
  href: 'https://chat.example/app/?api_key=geheim#narrow/stream/5-plans',
  log: 'geheim: a message',
  more_info: { draft: 'geheim' },
}
const logged = () => world.log.entries(0).filter(({ msg }) => String(msg).startsWith('a client reported'))

test('error reports are logged without secrets and control characters', async () => {
  await world.anonymous().reports.reportError(report)

  const [entry] = logged()
  assert.equal(entry?.msg, 'a client reported an error')
  assert.equal(entry?.page, '/app/')
  assert.equal(entry?.stack, 'at Composer at App')
  assert.equal(String(entry?.error).length, 501)
  const line = JSON.stringify(entry)
  assert.ok(!line.includes('geheim'))
  assert.doesNotMatch(line, /\p{Cc}|\\u009b/u)
})

test('response times reported by an account are logged, and anonymous reports are refused', async () => {
  await iris.reports.sendTimes({ time: 120, received: '130', locally_echoed: true })
  await iris.reports.narrowTimes({ initial_core: 1, initial_free: 2, network: 3 })
  await iris.reports.unnarrowTimes({ initial_core: 1, initial_free: 2 })

  const [sent, ...others] = logged().flatMap(({ times }) => times ?? [])
  assert.deepEqual(sent, {
    ...{ time: 120, received: '130', displayed: '(unknown)' },
    ...{ locally_echoed: true, rendered_content_disparity: false },
  })
  assert.equal(others.length, 2)
  const path = '/api/v1/report/send_times'
  const refused = await request(world.nodes.a.url, { method: 'POST', path, form: { time: '1' } })
  assert.equal(refused.status, 401)
})

test('a node logs at most 20 reports a minute, and accepts further ones without logging them', async () => {
  for (let count = 0; count < 40; count++) await world.anonymous().reports.reportError(report)

  assert.equal(logged().length, 20)
})
