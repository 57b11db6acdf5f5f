import { job } from '../../platform/jobs/jobs.ts'
import { deleteOldPresence } from './queries.ts'

export const forgetOldPresence = job<unknown>({
  name: 'forget_old_presence',
  schedule: '17 3 * * *',
  run: ({ db }) => deleteOldPresence(db),
})
