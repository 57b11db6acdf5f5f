import {
  basic,
  type NodeProcess,
  type Person,
  startNodeProcess,
  startWorld,
  type World,
} from '@oxbow/testkit'
import { formOf } from '@oxbow/testkit/hostile-images/all'
import type { HostileImage } from '@oxbow/testkit/hostile-images/hostile-image'

/** A node in a separate process, so that its memory and log can be checked, and an attacker. */
export interface Victim extends AsyncDisposable {
  world: World
  node: NodeProcess
  mallory: Person
}

export async function startVictim(): Promise<Victim> {
  const world = await startWorld()
  const mallory = await world.person('mallory')
  const env = { OXBOW_FILES_DIR: world.files_dir, OXBOW_LOG_LEVEL: 'info', OXBOW_DRAIN_SECONDS: '0' }
  const node = await startNodeProcess({ database_url: world.database.url, env })
  return {
    world,
    node,
    mallory,
    async [Symbol.asyncDispose]() {
      // The jobs of a killed node would be locked for a minute, and other test files share the database.
      node.signal('SIGTERM')
      await node.exited
      await node[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

/** Uploads an image to an endpoint that takes pictures. */
export async function postImage(url: string, person: Person, image: HostileImage): Promise<Response> {
  const { type, body } = formOf({ ...image, bytes: await image.make() })
  const headers = { authorization: basic(person), 'content-type': type }
  return fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })
}
