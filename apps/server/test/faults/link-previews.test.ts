import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@oxbow/sdk'
import {
  createGarden,
  createTestDatabase,
  eventually,
  makeHeldPage,
  startNodeProcess,
  startWebSite,
  withApp,
} from '@oxbow/testkit'
import { readMessage, sendToStream } from '@oxbow/testkit/calls/messages'

/**
 * Address of the linked site. It differs from the nodes' address, because nodes do not fetch their
 * own pages.
 */
const siteAddress = '127.0.0.2'
const pagesPerNode = 3

test('pages whose fetch a killed node interrupted are fetched once more, other pages only once, and each message is rendered once', async () => {
  await using database = await createTestDatabase()
  const database_url = database.url
  const { email, api_key } = await withApp(database_url, createGarden)
  const held = makeHeldPage('Tea')
  const paths = Array.from({ length: pagesPerNode * 2 }, (_, number) => `/page-${number}`)
  await using site = await startWebSite(
    Object.fromEntries(paths.map((path) => [path, held.page])),
    siteAddress,
  )
  const env = { OXBOW_LINK_PREVIEWS: 'true', OXBOW_OUTWARD_ALLOWED_NETWORKS: siteAddress }
  await using dying = await startNodeProcess({ database_url, env })
  await using other = await startNodeProcess({ database_url, env })
  const [first, second] = [dying, other].map(({ url }) =>
    createClient({ url, credentials: { email, api_key } }),
  )
  assert.ok(first && second)
  const { queue_id, last_event_id } = await second.events.register({ event_types: ['update_message'] })
  // Sends messages at once, because a node waits only ten seconds for a page.
  const send = (client: typeof first, some: readonly string[]) =>
    Promise.all(some.map((path) => sendToStream(client, 'general', 'tea', site.url(path, siteAddress))))
  // Any node can claim a page, so the other one is suspended while the node that will be killed claims its pages.
  other.signal('SIGSTOP')
  const ids = await send(first, paths.slice(0, pagesPerNode))
  await eventually(() => held.waiting() === pagesPerNode)
  other.signal('SIGCONT')
  ids.push(...(await send(second, paths.slice(pagesPerNode))))
  await eventually(() => held.waiting() === paths.length)
  dying.signal('SIGKILL')
  await dying.exited
  const listInterrupted = () => paths.filter((path) => site.countInterrupted(path) === 1)
  await eventually(() => listInterrupted().length > 0)
  held.open()
  const released = new Set<string>()
  /**
   * Ends the claims of the dead node, which would otherwise expire within a minute. Ends each claim once, because
   * the other node claims the page then.
   */
  const endClaims = async () => {
    const closed = listInterrupted().filter((path) => !released.has(path))
    if (closed.length === 0) return
    for (const path of closed) released.add(path)
    await database.query(
      "update link_page set claimed_until = '-infinity' where expires_at is null and url like any($1)",
      [closed.map((path) => `%${path}`)],
    )
    await database.query('update link_preview_request set due_at = now()')
  }
  await eventually(async () => {
    await endClaims()
    return (await database.query('select from link_preview_request')).length === 0
  })

  const lost = listInterrupted()
  for (const path of paths) assert.equal(site.count(path), lost.includes(path) ? 2 : 1, path)
  for (const id of ids) {
    const { content } = await readMessage(second, id)
    assert.equal(content.split('message_embed_title').length, 2, content)
  }
  const events: number[] = []
  let cursor = last_event_id
  while (events.length < ids.length) {
    const response = await second.events.poll({ queue_id, last_event_id: cursor })
    cursor = response.events.at(-1)?.id ?? cursor
    events.push(
      ...response.events.flatMap((event) => (event.type === 'update_message' ? [event.message_id] : [])),
    )
  }
  assert.deepEqual(
    events.sort((a, b) => a - b),
    ids.toSorted((a, b) => a - b),
  )
  assert.ok(!other.hasExited(), other.output())
})
