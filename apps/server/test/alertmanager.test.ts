import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { eventually, isInstalled, startAlertmanager, startWorld } from '@oxbow/testkit'
import { readMessages } from '@oxbow/testkit/calls/messages'

const skip = isInstalled('prometheus-alertmanager')
  ? false
  : 'prometheus-alertmanager is not installed: apt-get install prometheus-alertmanager'

test('a real Alertmanager reports firing and resolved alerts', { skip }, async () => {
  await using world = await startWorld()
  const iris = await world.person('iris')
  await world.stream('alerts', { members: [iris] })
  const bot = await world.bot('alerts', iris, BotType.incomingWebhook)
  const query = new URLSearchParams({ api_key: bot.api_key, stream: 'alerts', desc: 'summary' })
  await using sender = await startAlertmanager(`${world.nodes.a.url}/api/v1/external/alertmanager?${query}`)
  const readAlerts = async () =>
    (await readMessages(iris, { stream: 'alerts' })).map(({ topic, content, client }) => [
      topic,
      content,
      client,
    ])
  const alert = {
    labels: { alertname: 'HighLoad', instance: 'web-1:9100', severity: 'page' },
    annotations: { summary: 'Load is high on web-1' },
    generatorURL: 'http://prometheus.example/graph?g0.expr=node_load1+%3E+4&g0.tab=1',
  }

  await sender.raise(alert)
  const [firing] = await eventually(async () => {
    const all = await readAlerts()
    return all.length === 1 && all
  }, 30_000)
  await sender.raise({ ...alert, endsAt: new Date(Date.now() - 1_000).toISOString() })
  const [, resolved] = await eventually(async () => {
    const all = await readAlerts()
    return all.length === 2 && all
  }, 30_000)

  assert.deepEqual([firing?.[0], firing?.[2]], ['web-1:9100', 'ChatAlertManagerWebhook'])
  assert.match(
    String(firing?.[1]),
    /FIRING\*\* Load is high on web-1 \(\[graph\]\(http:\/\/prometheus\.example\/graph/,
  )
  assert.match(String(resolved?.[1]), /Resolved\*\* Load is high on web-1/)
  assert.deepEqual(world.log.problems(), [])
})
