import { job } from '../jobs/jobs.ts'

/** Removes half-written files that crashed nodes left behind. */
export const tidyFiles = job<unknown>({
  name: 'tidy_files',
  schedule: '17 4 * * *',
  run: ({ files }) => files.tidy(),
})
