import { ApiError } from '@oxbow/contract'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { type BotPlace, countBots } from './queries.ts'

/**
 * Throws `TOO_MANY_BOTS` where a person owns as many bots as they may. Exact in a transaction that holds the organization's
 * roles exclusively, as all do that create a bot or give one to another owner.
 */
export async function refuseTooManyBots(
  { config }: Pick<App, 'config'>,
  db: Db,
  owner: BotPlace,
): Promise<void> {
  const { bots_per_person: limit } = config
  if (limit > 0 && (await countBots(db, owner)) >= limit) throw new ApiError('TOO_MANY_BOTS', { limit })
}
