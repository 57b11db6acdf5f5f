import assert from 'node:assert/strict'
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'

/**
 * Maximum number of the server's source files that run code between the request that sends a message
 * and the response of the poll that waits for it, with warm caches. A developer who follows a message
 * through the code opens all of these files, so a higher limit needs a reason. One of them lends connections, so that
 * reads leave some to sends.
 */
const maxFiles = 57

/**
 * Number of sends of which only the shared files are counted. Other nodes and timers of this process run
 * during some sends, on a slow machine during most of them, but code of the send runs during all.
 */
const sends = { least: 4, most: 40 }

test('sending a message to a waiting poll runs code of only a few source files', async () => {
  // Turns off checks of responses against the contract, as in production.
  await using world = await startWorld({ ownServer: true, checked: false })
  const { owner } = world
  const garden = await world.stream('garden')
  const { queue_id, last_event_id } = await owner.events.register({ event_types: ['message'] })
  let position = last_event_id
  const sendAndReceive = async () => {
    const polling = owner.events.poll({ queue_id, last_event_id: position })
    await world.settled()
    await takeFiles()
    const id = await sendToStream(owner, garden, 'roses')
    const { events } = await polling
    const [event] = events as { id: number; message: { id: number } }[]
    assert.equal(event?.message.id, id)
    position = event.id
    return takeFiles()
  }
  const session = new Session()
  session.connect()
  /** Returns the files in which a function has run since the last call. */
  const takeFiles = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const ran = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    const paths = ran.flatMap(({ url }) =>
      url.startsWith('file:') ? [relative('.', fileURLToPath(url))] : [],
    )
    return new Set(paths.filter((path) => /^apps\/server\/src\/.*(?<!\.test)\.ts$/.test(path)))
  }
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  try {
    await sendAndReceive()
    let files = await sendAndReceive()
    for (let count = 1; count < sends.least || (files.size > maxFiles && count < sends.most); count++)
      files = files.intersection(await sendAndReceive())

    assert.ok(files.has('apps/server/src/messages/send/write-message.ts'), 'the send was measured')
    assert.ok(files.has('apps/server/src/queues/waiting-poll.ts'), 'the waiting poll was measured')
    assert.ok(files.size <= maxFiles, `${files.size} files:\n${[...files].sort().join('\n')}`)
  } finally {
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
  }
})
