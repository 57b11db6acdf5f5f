import { after, test } from 'node:test'
import { expectSameState, startWorld } from '@oxbow/testkit'

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
const { ada, gus, robin } = everyone
const checkState = (change: () => Promise<unknown>) =>
  expectSameState(world, everyone, change, { mayDefer: true })

test('after display settings, the time zone and enter_sends change, a state updated by events equals a fresh state', async () => {
  for (const person of [owner, ada, iris, gus])
    await checkState(async () => {
      await person.settings.updateDisplay({
        timezone: 'Europe/Berlin',
        default_language: 'de',
        emojiset: 'text',
      })
      await person.on('b').settings.updateDisplay({ color_scheme: 2, dense_mode: false })
      await person.settings.setEnterSends({ enter_sends: true })
    })
})

test('after notification settings change, a state updated by events equals a fresh state', async () => {
  for (const person of [owner, ada, iris, gus])
    await checkState(() =>
      person.settings.updateNotifications({ notification_sound: 'ding', presence_enabled: false }),
    )
})

test('after alert words of users and bots change, a state updated by events equals a fresh state', async () => {
  for (const person of Object.values(everyone))
    await checkState(async () => {
      await person.alertWords.add({ alert_words: ['Roses', 'frost'] })
      await person.on('b').alertWords.remove({ alert_words: ['FROST'] })
    })
  await checkState(() => robin.alertWords.remove({ alert_words: ['roses'] }))
})

test('after users and bots mute and unmute a user, a state updated by events equals a fresh state', async () => {
  for (const person of [owner, ada, gus, robin])
    await checkState(async () => {
      await person.mutedUsers.mute({ muted_user_id: iris.user_id })
      await person.on('b').mutedUsers.unmute({ muted_user_id: iris.user_id })
      await person.mutedUsers.mute({ muted_user_id: iris.user_id })
    })
})

test('after hotspots are dismissed, a state updated by events equals a fresh state', async () => {
  for (const person of [owner, ada, iris, gus])
    await checkState(async () => {
      await person.settings.dismissHotspot({ hotspot: 'intro_reply' })
      await person.settings.dismissHotspot({ hotspot: 'intro_gear' })
    })
  await checkState(() => iris.settings.setTutorialStatus({ status: 'finished' }))
})

test('after a status is set, and after its user is deactivated and reactivated, a state updated by events equals a fresh state', async () => {
  for (const person of [owner, ada, iris, gus])
    await checkState(async () => {
      await person.userStatus.set({ away: true, status_text: 'in the garden' })
      await person.on('b').userStatus.set({ away: false })
    })
  await checkState(() => gus.userStatus.set({ status_text: '' }))
  const rosa = await world.person('rosa')
  await rosa.userStatus.set({ away: true })
  await checkState(() => owner.users.deactivate({ user_id: rosa.user_id }))
  await checkState(() => owner.users.reactivate({ user_id: rosa.user_id }))
})
