import { after, test } from 'node:test'
import { expectSameState, startWorld } from '@oxbow/testkit'
import { addEmoji } from '@oxbow/testkit/calls/emoji'

// Each test makes changes and asserts that states updated by events equal fresh states.

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const iris = await world.person('iris')
const everyone = {
  owner,
  ada: await world.person('ada', 'administrator'),
  iris,
  gus: await world.person('gus', 'guest'),
  robin: await world.bot('robin', iris),
}

test('after custom emoji are added and deactivated, a state updated by events equals a fresh state', async () => {
  await expectSameState(world, everyone, () => addEmoji(iris, 'owl'))
  await expectSameState(world, everyone, () => owner.emoji.deactivate({ emoji_name: 'owl' }))
  await expectSameState(world, everyone, async () => {
    await addEmoji(everyone.ada, 'owl')
    await Promise.all(['wren', 'crow', 'rook'].map((name) => addEmoji(iris, name)))
    await iris.emoji.deactivate({ emoji_name: 'crow' })
  })
})
