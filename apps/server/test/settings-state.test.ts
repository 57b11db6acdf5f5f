import { after, test } from 'node:test'
import { expectSameState, startWorld } from '@oxbow/testkit'

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
const { ada, gus, robin } = everyone

test('settings of the display, a time zone that all see, and enter-sends', async () => {
  for (const person of [owner, ada, iris, gus])
    await expectSameState(world, everyone, async () => {
      await person.settings.updateDisplay({
        timezone: 'Europe/Berlin',
        default_language: 'de',
        emojiset: 'text',
      })
      await person.on('b').settings.updateDisplay({ color_scheme: 2, dense_mode: false })
      await person.settings.setEnterSends({ enter_sends: true })
    })
})

test('settings of the notifications', async () => {
  for (const person of [owner, ada, iris, gus])
    await expectSameState(world, everyone, () =>
      person.settings.updateNotifications({ notification_sound: 'ding', presence_enabled: false }),
    )
})

test('alert words, of a bot too', async () => {
  for (const person of Object.values(everyone))
    await expectSameState(world, everyone, async () => {
      await person.alertWords.add({ alert_words: ['Roses', 'frost'] })
      await person.on('b').alertWords.remove({ alert_words: ['FROST'] })
    })
  await expectSameState(world, everyone, () => robin.alertWords.remove({ alert_words: ['roses'] }))
})

test('what newcomers are shown', async () => {
  for (const person of [owner, ada, iris, gus])
    await expectSameState(world, everyone, async () => {
      await person.settings.dismissHotspot({ hotspot: 'intro_reply' })
      await person.settings.dismissHotspot({ hotspot: 'intro_gear' })
    })
  await expectSameState(world, everyone, () => iris.settings.setTutorialStatus({ status: 'finished' }))
})

test('what people say of themselves, until they are gone, and when they are back', async () => {
  for (const person of [owner, ada, iris, gus])
    await expectSameState(world, everyone, async () => {
      await person.userStatus.set({ away: true, status_text: 'in the garden' })
      await person.on('b').userStatus.set({ away: false })
    })
  await expectSameState(world, everyone, () => gus.userStatus.set({ status_text: '' }))
  const rosa = await world.person('rosa')
  await rosa.userStatus.set({ away: true })
  await expectSameState(world, everyone, () => owner.users.deactivate({ user_id: rosa.user_id }))
  await expectSameState(world, everyone, () => owner.users.reactivate({ user_id: rosa.user_id }))
})
