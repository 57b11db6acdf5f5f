import { job } from '../jobs.ts'

/** A node that dies in the middle of a put leaves half a file, which nobody finds and nobody needs. */
export const tidyFiles = job<unknown>({
  name: 'tidy_files',
  schedule: '17 4 * * *',
  run: ({ files }) => files.tidy(),
})
