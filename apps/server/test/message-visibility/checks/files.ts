import assert from 'node:assert/strict'
import type { OrganizationId } from '@oxbow/contract'
import { fetchAt, hostOf, type NodeName, request } from '@oxbow/testkit'
import type { Dice } from '@oxbow/testkit/seed'
import { makeTemporaryLink } from '../../../src/messages/uploads/temporary-links.ts'
import { canReadFile, isReadable, type Name } from '../model/model.ts'
import type { Viewer } from '../model/narrows.ts'
import type { TestedServer } from '../server/tested-server.ts'

/**
 * Checks that the user can read exactly the uploads that the model allows: directly, by a temporary
 * link and as a thumbnail. Also checks that expired links and users of another organization are
 * refused, and that the list of the user's own uploads equals the model's.
 */
export async function checkFiles(
  viewer: Viewer,
  server: TestedServer,
  uris: readonly string[],
  dice: Dice,
): Promise<void> {
  const { model, name } = viewer
  const base = () => server.world.nodes[dice.pick<NodeName>(['a', 'b'])].url
  for (const uri of uris) {
    const exists = model.files.has(uri)
    const expected = canReadFile(model, name, uri) ? 200 : exists ? 403 : 404
    const credentials = server.people[name]
    const { status } = await request(base(), { path: uri, credentials })
    assert.equal(status, expected, `${name} and the file ${uri}`)
    if (dice.isLikely(0.3)) {
      const path = `${uri.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`
      const thumbnail = await request(base(), { path, credentials })
      assert.equal(thumbnail.status, expected, `${name} and the thumbnail of ${uri}`)
    }
    if (dice.isLikely(0.3)) await checkTemporaryLinks(server, base(), name, uri, expected)
    if (dice.isLikely(0.1)) {
      const foreign = await fetchAt(hostOf('hill'))(`${base()}${uri}?api_key=${server.outsider.api_key}`)
      assert.equal(foreign.status, 404, `the other organization and the file ${uri}`)
    }
  }
  await checkOwnList(viewer, server, dice)
}

async function checkTemporaryLinks(
  server: TestedServer,
  base: string,
  name: Name,
  uri: string,
  expected: number,
): Promise<void> {
  const { world, people } = server
  const { status, body } = await request(base, { path: `/api/v1${uri}`, credentials: people[name] })
  assert.equal(status, expected, `${name} and a link to ${uri}`)
  if (expected !== 200) return
  const link = await request(base, { path: String(body.url) })
  assert.equal(link.status, 200, `a link of ${name} to ${uri}`)
  const path_id = uri.slice('/user_uploads/'.length)
  const rows = await world.database.query<{ id: never }>('select id from upload where path_id = $1', [
    path_id,
  ])
  const account = {
    organization_id: world.organization_id as OrganizationId,
    user_id: people[name].user_id,
  }
  const expired = makeTemporaryLink(
    world.nodes.a.app.secrets,
    account,
    { id: rows[0]?.id as never, path_id },
    Date.now() - 60_000,
  )
  assert.equal((await request(base, { path: expired })).status, 400, `an expired link to ${uri}`)
}

async function checkOwnList({ model, name }: Viewer, server: TestedServer, dice: Dice): Promise<void> {
  const { attachments } = await server.client(name, dice.pick<NodeName>(['a', 'b'])).uploads.list()
  const own = [...model.files].filter(([, owner]) => owner === name)
  const expected = own.map(([uri]) => {
    const messages = [...model.messages.values()].filter(
      (message) => message.claims.has(uri) && isReadable(model, name, message),
    )
    return [uri, messages.map(({ id }) => id).sort((a, b) => a - b)]
  })
  assert.deepEqual(
    attachments.map(({ path_id, messages }) => [`/user_uploads/${path_id}`, messages.map(({ id }) => id)]),
    expected,
    `the uploads of ${name}`,
  )
}
