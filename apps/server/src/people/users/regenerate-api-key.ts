import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { apiKeyColumns, makeApiKey } from '../../identity/api-keys.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { accessOwnUser } from './access.ts'
import { botKeyShown } from './bots/events.ts'
import { endLinks } from './end-links.ts'
import { keyChanged } from './events.ts'
import { updateUserRow } from './queries.ts'
import { verifyOwnPassword } from './verify-own-password.ts'

type Regenerate = typeof api.users.regenerateApiKey

export async function regenerateApiKey(
  app: App,
  actor: Actor,
  { password }: ParamsOf<Regenerate>,
): Promise<ResponseOf<Regenerate>> {
  // Requires the password: an API key outlives the session, so a person at someone else's
  // unattended browser must not get one.
  if (actor.credential.kind === 'session') await verifyOwnPassword(app, actor, password)
  const api_key = makeApiKey()
  await writeAs(app, actor, async (tx) => {
    const user = await accessOwnUser(tx, actor)
    await updateUserRow(tx, user.organization_id, user.id, apiKeyColumns(app, user, api_key))
    await endLinks(tx, user)
    emit(tx, keyChanged(user))
    if (user.bot_owner_id !== null) emit(tx, botKeyShown(app, user, api_key, user.bot_owner_id))
  })
  return { api_key }
}
