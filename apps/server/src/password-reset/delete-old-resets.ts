import { sql } from 'kysely'
import { autocommit } from '../platform/database/database.ts'
import { job } from '../platform/jobs.ts'

/**
 * Deletes requests that are older than a day, because limits count the requests of a day. Links of an import
 * are deleted when they expire, after a week.
 */
export const deleteOldPasswordResets = job<unknown>({
  name: 'delete_old_password_resets',
  schedule: '41 * * * *',
  async run({ db }) {
    await autocommit(db)
      .deleteFrom('password_reset')
      .where('created_at', '<=', sql<Date>`now() - make_interval(hours => greatest(24, lifetime_hours))`)
      .execute()
  },
})
