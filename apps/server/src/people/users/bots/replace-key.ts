import { emit } from '../../../events/emit.ts'
import { apiKeyColumns, makeApiKey } from '../../../identity/api-keys.ts'
import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { UserRow } from '../../../platform/database/tables.ts'
import { keyChanged } from '../events.ts'
import { updateUserRow } from '../queries.ts'

/**
 * Gives a bot a new key and returns it. The old key becomes invalid when the transaction commits.
 * Does not send the new key to any client.
 */
export async function replaceKey(app: App, tx: Tx, bot: UserRow): Promise<string> {
  const api_key = makeApiKey()
  await updateUserRow(tx, bot.organization_id, bot.id, apiKeyColumns(app, bot, api_key))
  emit(tx, keyChanged(bot))
  return api_key
}
