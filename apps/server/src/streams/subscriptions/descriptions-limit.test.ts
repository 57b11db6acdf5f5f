import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startWorld } from '@oxbow/testkit'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld({ config: { stream_descriptions_mib: 1 } })
after(() => world[Symbol.asyncDispose]())
const { owner } = world

const tooLong = refusal(
  'The descriptions of all streams in this organization are too long together (limit: 1 MiB with their formatting). Shorten or omit some.',
)
/** Takes 4 KiB as text, and about as much as HTML. */
const description = '𝕏'.repeat(1_024)
const subscribe = (prefix: string, count: number, described: object) =>
  owner.subscriptions.subscribe({
    subscriptions: Array.from({ length: count }, (_, index) => ({
      name: `${prefix} ${index}`,
      ...described,
    })),
  })

test('the descriptions of all active streams together are limited', async () => {
  for (const name of ['plot', 'bed']) await subscribe(name, 60, { description })
  await assert.rejects(subscribe('row', 10, { description }), tooLong)

  await subscribe('row', 10, {})
  const streamId = (stream: string) => owner.streams.getId({ stream })
  const row = await streamId('row 0')
  for (let index = 0; index < 7; index++)
    await owner.streams.update({ ...(await streamId(`row ${index}`)), description })
  const last = { ...(await streamId('row 7')), description }
  await assert.rejects(owner.streams.update(last), tooLong)
  await owner.streams.update({ ...row, description: 'Short' })
  await owner.streams.update(last)
  await owner.streams.archive(await streamId('plot 0'))
  await subscribe('last', 1, { description })
})
