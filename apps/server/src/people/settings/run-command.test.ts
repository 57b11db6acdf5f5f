import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectSameState, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris] = await world.people('iris')
const robin = await world.bot('robin', iris)

const run = async (command: string) => (await call(world, iris, 'POST /zcommand', { command })).body
const success = (msg: string) => ({ result: 'success', msg })

test('a command changes its display setting, and msg says whether it changed', async () => {
  const changed = (name: string, opposite: string) =>
    success(`Changed to ${name} mode! To revert ${name} mode, type \`/${opposite}\`.`)
  for (const [name, opposite, text, setting] of [
    ['night', 'day', 'night', { color_scheme: 2 }],
    ['day', 'night', 'day', { color_scheme: 3 }],
    ['fluid-width', 'fixed-width', 'fluid width', { fluid_layout_width: true }],
    ['fixed-width', 'fluid-width', 'fixed width', { fluid_layout_width: false }],
  ] as const) {
    await expectSameState(world, { iris }, async () => {
      assert.deepEqual(await run(`/${name}`), changed(name, opposite))
    })
    assert.deepEqual(await run(`/${name}`), success(`You are still in ${text} mode.`))
    const state = await iris.events.register({ fetch_event_types: ['update_display_settings'] })
    for (const [key, value] of Object.entries(setting)) assert.equal(state[key as keyof typeof state], value)
  }
  assert.deepEqual(await run('/ping'), success(''))
})

test('the SDK returns the text of a command', async () => {
  assert.match((await robin.settings.runCommand({ command: '/night' })).msg ?? '', /^Changed to night mode/)
  assert.deepEqual(await robin.settings.runCommand({ command: '/ping' }), {})
})

test('unknown commands are refused', async () => {
  for (const [command, msg] of [
    ['night', 'There should be a leading slash in the zcommand.'],
    ['', 'There should be a leading slash in the zcommand.'],
    ['/', 'No such command: '],
    ['/night ', 'No such command: night '],
    ['/constructor', 'No such command: constructor'],
    ['/__proto__', 'No such command: __proto__'],
    [`/${'x'.repeat(100)}`, 'command is too long (limit: 100 characters)'],
  ] as const)
    assert.deepEqual(await call(world, iris, 'POST /zcommand', { command }), refusal(msg))
})
