import { sql } from 'kysely'
import { autocommit } from '../../platform/database/database.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { invitationDays, signUpDays } from './open.ts'

/** Deletes expired invitations and sign-ups. */
export const deleteExpiredInvitations = job<unknown>({
  name: 'forget_old_invitations',
  schedule: '23 * * * *',
  async run({ db }) {
    const before = (days: number) => sql<Date>`now() - make_interval(days => ${days})`
    await autocommit(db).deleteFrom('sign_up').where('created_at', '<=', before(signUpDays)).execute()
    await autocommit(db).deleteFrom('invitation').where('invited_at', '<=', before(invitationDays)).execute()
  },
})
