import { z } from 'zod'
import { sessionId } from '../ids.ts'
import { field, object } from '../kernel/field.ts'

export const session = object({
  id: field(sessionId, 'The id of the session.'),
  created_at: field(z.int(), 'When the user signed in, in seconds since 1970-01-01 UTC.'),
  last_seen_at: field(
    z.int(),
    'When the session was last used, in seconds since 1970-01-01 UTC. Recorded at most every ten minutes.',
  ),
  program: field(
    z.string(),
    'The browser and its operating system, to be shown to users, like `Firefox on Linux`.',
  ),
  address: field(z.string(), 'The IP address from which the session was last used.'),
  is_trusted: field(
    z.boolean(),
    'Whether the user chose to stay signed in on the device. A client should keep data on a device only if its own session is trusted.',
  ),
  is_current: field(z.boolean(), 'Whether the request was made with this session.'),
})
export type Session = z.infer<typeof session>
