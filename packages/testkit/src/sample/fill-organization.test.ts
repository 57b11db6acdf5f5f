import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWorld } from '../world.ts'
import { samplePeople } from './conversations.ts'
import { fillSampleOrganization, setSampleTimes } from './fill-organization.ts'

test('the sample organization has conversations with pictures and polls, over several days', async () => {
  await using world = await startWorld({ organization: { name: 'The Garden', subdomain: 'sample' } })
  const { olive } = await fillSampleOrganization({
    person: async (name) => (name === 'olive' ? world.owner : world.person(name)),
    setTimes: (messages) => setSampleTimes(world.database.query, messages),
    weatherReports: 3,
  })
  const { messages } = await olive.messages.list({ anchor: 'newest', num_before: 1000, num_after: 0 })
  const { members } = await olive.users.list()
  assert.ok(members.length >= Object.keys(samplePeople).length)
  assert.ok(messages.some(({ content }) => content.includes('<img')))
  assert.ok(messages.some(({ content }) => content.includes('katex')))
  assert.ok(messages.some(({ submessages }) => submessages.length > 0))
  assert.ok(messages.some(({ reactions }) => reactions.length > 2))
  assert.ok(messages.some(({ flags }) => flags.includes('mentioned')))
  const days = new Set(messages.map(({ timestamp }) => Math.floor(timestamp / 86_400)))
  assert.ok(days.size >= 4, `messages of ${days.size} days`)
})
