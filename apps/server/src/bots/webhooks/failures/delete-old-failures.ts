import { job } from '../../../platform/jobs/jobs.ts'
import { deleteOldFailures } from './queries.ts'

export const deleteOldFailuresJob = job<unknown>({
  name: 'forget_old_webhook_failures',
  schedule: '17 * * * *',
  run: ({ db }) => deleteOldFailures(db),
})
