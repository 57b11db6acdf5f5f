import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { botTypes, PostPolicy, type StreamId } from '@oxbow/contract'
import { type MadeStream, type Person, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { outcomeOf } from '@oxbow/testkit/calls/permissions'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { database, owner } = world
const owners = {
  administrator: await world.person('ada', 'administrator'),
  member: await world.person('mia'),
  'new member': await world.person('nell'),
}
await database.query('update organization set waiting_period_threshold = 3')
await database.query(`update user_account set date_joined = now() - interval '9 days' where id <> $1`, [
  owners['new member'].user_id,
])
const joinedLongAgo = (bots: readonly Person[]) =>
  database.query(`update user_account set date_joined = now() - interval '9 days' where id = any($1)`, [
    bots.map(({ user_id }) => user_id),
  ])

const kinds = ['public', 'private', 'protected', 'archived'] as const
const memberships = ['in', 'left', 'never'] as const

/**
 * Creates one stream for each combination of kind and membership of the owners. The bots are not
 * subscribed to any of them.
 */
async function makeStreams(): Promise<Map<string, MadeStream>> {
  const principals = Object.values(owners).map(({ user_id }) => user_id)
  const made = new Map<string, MadeStream>()
  for (const kind of kinds) {
    for (const membership of memberships) {
      const name = `${kind}, ${membership}`
      const stream = await world.stream(name, {
        invite_only: kind === 'private' || kind === 'protected',
        history_public_to_subscribers: kind !== 'protected',
      })
      const subscriptions = [{ name }]
      if (membership !== 'never') await owner.subscriptions.subscribe({ subscriptions, principals })
      if (membership === 'left') await owner.subscriptions.unsubscribe({ subscriptions: [name], principals })
      if (kind === 'archived') await owner.streams.archive({ stream_id: stream.stream_id })
      made.set(name, stream)
    }
  }
  return made
}

const streams = await makeStreams()

for (const [kind, person] of Object.entries(owners)) {
  test(`bots of all types can post to the same streams as their owner (${kind})`, async () => {
    const bots: Person[] = []
    for (const type of botTypes) bots.push(await world.bot(`${kind.replace(' ', '')}${type}`, person, type))
    await joinedLongAgo(bots)
    for (const policy of Object.values(PostPolicy)) {
      await database.query('update stream set stream_post_policy = $2 where organization_id = $1', [
        world.organization_id,
        policy,
      ])
      for (const [name, stream] of streams) {
        const byOwner = await tryToPost(person, stream)
        for (const [index, bot] of bots.entries())
          assert.equal(
            await tryToPost(bot, stream),
            byOwner,
            `bot of type ${botTypes[index]}, stream "${name}", policy ${policy}`,
          )
      }
    }
  })
}

test('GET permissions does not reveal private streams to bots of any type', async () => {
  const { member } = owners
  const { stream_id } = streams.get('private, never') as MadeStream
  for (const type of botTypes.filter((each) => each !== 2)) {
    const bot = await world.bot(`asker${type}`, member, type)
    const ask = (asked: number) =>
      bot.permissions.explain({ user_id: bot.user_id, action: 'post', stream_id: asked as StreamId })

    assert.deepEqual(await ask(stream_id), await ask(987_654), `type ${type}`)
  }
})

const tryToPost = async (person: Person, stream: MadeStream): Promise<boolean> =>
  (await outcomeOf(sendToStream(person, stream, 'weather'))) === 'ok'
