import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ApiError, BotType } from '@oxbow/contract'
import { readFixtures } from '@oxbow/integrations/fixtures'
import { startWorld } from '@oxbow/testkit'
import { readMessages } from '@oxbow/testkit/calls/messages'
import { deliver, success } from '@oxbow/testkit/calls/webhooks'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
await world.stream('garden', { members: [iris] })
const bot = await world.bot('hook', iris, BotType.incomingWebhook)

const topics = async () => (await readMessages(iris, { stream: 'garden' })).map(({ topic }) => topic)
const alert = (instance: string) => ({ status: 'firing', labels: { instance, alertname: 'High' } })

test("a delivery's messages are sent in order", async () => {
  const instances = ['web-3', 'web-1', 'web-2']
  const json = { alerts: instances.map(alert) }
  const { status } = await deliver(world, {
    bot,
    integration: 'alertmanager',
    json,
    query: { stream: 'garden' },
  })

  assert.equal(status, 200)
  assert.deepEqual(await topics(), instances)
})

test('all messages of a delivery are sent to the topic in the URL', async () => {
  const json = { alerts: ['web-8', 'web-9'].map(alert) }
  await deliver(world, { bot, integration: 'alertmanager', json, query: { stream: 'garden', topic: 'all' } })
  assert.deepEqual((await topics()).slice(-2), ['all', 'all'])
})

test('a message for one person, identified by address or name, is sent only to that person', async () => {
  const personal = (name: string) => ({
    build: {
      buildFullName: 'Beds / Prune',
      buildNumber: '7',
      buildResult: 'failure',
      buildResultDelta: 'broken',
      triggeredBy: name,
      teamcityProperties: [{ name: 'env.BUILD_IS_PERSONAL', value: 'true' }],
    },
  })
  const before = await topics()
  for (const name of [otto.email, 'Otto Gardener', 'Nobody Known', '\0'])
    assert.equal(
      (
        await deliver(world, {
          bot,
          integration: 'teamcity',
          json: personal(name),
          query: { stream: 'garden' },
        })
      ).status,
      200,
    )
  const private_ = await readMessages(otto, { is: 'private' })

  assert.equal(private_.length, 2)
  assert.deepEqual(await topics(), before)
  assert.deepEqual(await readMessages(iris, { is: 'private' }), [])
})

test('a verification request gets the response that the service expects', async () => {
  const { status, body } = await deliver(world, { bot, integration: 'zapier', json: { type: 'auth' } })
  assert.equal(status, 200)
  assert.deepEqual(body, { ...success, id: bot.user_id, email: bot.email, full_name: 'hook bot' })
})

test('a stream and topic percent-encoded twice in a webhook URL are decoded', async () => {
  await world.stream('dev & ops', { members: [iris] })
  const [{ fixture } = { fixture: undefined }] = await readFixtures('jira')
  const query = { stream: 'dev%20%26%20ops', topic: 'roses%20%231' }
  const { status, body } = await deliver(world, { bot, integration: 'jira', json: fixture?.body, query })
  const [message] = await readMessages(iris, { stream: 'dev & ops' })

  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(message?.topic, 'roses #1')
})

test('bots can be created only for existing integrations', async () => {
  const make = (service_name: string) =>
    iris.bots.create({
      full_name: `Bot ${service_name}`,
      short_name: service_name,
      bot_type: BotType.incomingWebhook,
      service_name,
      config_data: { webhook_secret: 'rosebud' },
    })
  assert.ok((await make('github')).user_id > 0)
  await assert.rejects(
    make('nonesuch'),
    (error) => error instanceof ApiError && error.is('INTEGRATION_UNKNOWN'),
  )
})
