import type { StreamId } from '@oxbow/contract'
import type { Person, World } from '@oxbow/testkit'
import { authenticate } from '../src/identity/authenticate.ts'
import { accessStreamToPost } from '../src/streams/access.ts'

/** What whoever sends a message asks first. */
export async function postAs(world: World, { email, api_key }: Person, stream_id: StreamId): Promise<void> {
  const { app } = world.nodes.a
  const caller = { subdomain: '', origin: '', client: 'test', legacyNames: false }
  const actor = await authenticate(app, caller, { email, api_key })
  await accessStreamToPost(app.db, actor, stream_id)
}
