import { ApiError } from '@oxbow/contract'
import type { App } from '../../../platform/app.ts'
import type { Db } from '../../../platform/database/database.ts'
import { type AccountKey, countBots } from './queries.ts'

/**
 * Throws `TOO_MANY_BOTS` if a person already owns the maximum number of bots. The caller must hold
 * the role lock exclusively, as all code that creates a bot or changes its owner does.
 */
export async function refuseTooManyBots(
  { config }: Pick<App, 'config'>,
  db: Db,
  owner: AccountKey,
): Promise<void> {
  const { bots_per_person: limit } = config
  if (limit > 0 && (await countBots(db, owner)) >= limit) throw new ApiError('TOO_MANY_BOTS', { limit })
}
