import type { api, ResponseOf } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import { makeApiKey } from '../identity/api-keys.ts'
import { writeAs } from '../identity/write-as.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { accessOwnUser } from './access.ts'
import { botKeyChanged } from './bots/events.ts'
import { endEmailChanges } from './email-changes.ts'
import { keyChanged } from './events.ts'
import { updateUserRow } from './queries.ts'

export async function regenerateApiKey(
  app: App,
  actor: Actor,
): Promise<ResponseOf<typeof api.users.regenerateApiKey>> {
  const { api_key, columns } = makeApiKey(app)
  await writeAs(app, actor, async (tx) => {
    const user = await accessOwnUser(tx, actor)
    await updateUserRow(tx, user.organization_id, user.id, columns)
    await endEmailChanges(tx, user)
    emit(tx, keyChanged(user))
    if (user.bot_type !== null) emit(tx, botKeyChanged(app, user, api_key))
  })
  return { api_key }
}
