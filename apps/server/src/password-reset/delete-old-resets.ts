import { sql } from 'kysely'
import { autocommit } from '../platform/database/database.ts'
import { job } from '../platform/jobs.ts'

/** Deletes requests that no longer count. Links are valid for an hour, limits are per day. */
export const deleteOldPasswordResets = job<unknown>({
  name: 'delete_old_password_resets',
  schedule: '41 * * * *',
  async run({ db }) {
    await autocommit(db)
      .deleteFrom('password_reset')
      .where('created_at', '<=', sql<Date>`now() - interval '1 day'`)
      .execute()
  },
})
