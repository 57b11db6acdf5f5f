import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { readMessages } from '@oxbow/testkit/calls/messages'
import { deliver } from '@oxbow/testkit/calls/webhooks'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
await world.stream('garden', { members: [iris, otto] })
const bot = await world.bot('hook', iris, BotType.incomingWebhook)
const query = { stream: 'garden' }
let counted = 0

/**
 * Deliveries that name a person by an address. Each function sends one and returns whether the
 * person was found.
 */
const deliveries: Record<string, (address: string) => Promise<{ isFound: boolean; response: unknown }>> = {
  'teamcity, which writes to the person': async (triggeredBy) => {
    const before = (await readMessages(otto, { is: 'private' })).length
    const { status, body } = await deliver(world, {
      bot,
      integration: 'teamcity',
      query,
      json: {
        build: {
          buildFullName: 'Beds / Prune',
          buildNumber: String(++counted),
          buildResult: 'failure',
          buildResultDelta: 'broken',
          triggeredBy,
          teamcityProperties: [{ name: 'env.BUILD_IS_PERSONAL', value: 'true' }],
        },
      },
    })
    const isFound = (await readMessages(otto, { is: 'private' })).length > before
    return { isFound, response: [status, body] }
  },
  'jira, which mentions the person': async (emailAddress) => {
    const { status, body } = await deliver(world, {
      bot,
      integration: 'jira',
      query,
      json: {
        webhookEvent: 'jira:issue_created',
        user: { displayName: 'Rosa' },
        issue: {
          key: `BED-${++counted}`,
          self: 'https://jira.example/rest/api/2/issue/1',
          fields: {
            summary: 'Weeds',
            priority: { name: 'Major' },
            assignee: { displayName: 'O', emailAddress },
          },
        },
      },
    })
    const message = (await readMessages(iris, { stream: 'garden' })).at(-1)
    assert.match(message?.content ?? '', /Weeds/)
    return { isFound: message?.content.includes('Otto Gardener') ?? false, response: [status, body] }
  },
}

for (const visibility of [1, 3, 4] as const) {
  test(`a webhook finds people only by their display addresses (visibility ${visibility})`, async () => {
    await owner.organization.update({ email_address_visibility: visibility })
    await world.settled()
    const { members } = await iris.users.list()
    const shown = members.find(({ user_id }) => user_id === otto.user_id)?.email ?? ''

    for (const [name, send] of Object.entries(deliveries)) {
      const [toAccount, toStranger] = [await send(otto.email), await send('nobody@garden.example')]
      assert.equal(toAccount.isFound, shown === otto.email, name)
      assert.equal(toStranger.isFound, false, name)
      assert.deepEqual(toAccount.response, toStranger.response, name)
      assert.equal((await send(shown)).isFound, true, name)
    }
  })
}
