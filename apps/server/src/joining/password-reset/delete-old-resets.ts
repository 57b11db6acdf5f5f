import { sql } from 'kysely'
import { autocommit } from '../../platform/database/database.ts'
import { job } from '../../platform/jobs/jobs.ts'

/**
 * Deletes requests older than a day. Newer ones are kept because the daily limits count them. Links
 * of an import are deleted when they expire, after a week.
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
