import { api } from '../api.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { describeEndpoint, describeFields } from '../kernel/describe.ts'
import { session } from './shape.ts'

describeEndpoint(
  api.sessions.create,
  {
    username: 'The e-mail address of the account.',
    password: 'The password of the account.',
    is_trusted:
      'Whether to stay signed in on this device. The session then ends 30 days after its last use, or after a year. Otherwise it ends after 24 hours, or when the browser is closed.',
  },
  { user_id: texts.userId },
)

describeFields(session, {
  id: 'The id of the session.',
  created_at: 'When the user signed in, in seconds since 1970-01-01 UTC.',
  last_seen_at:
    'When the session was last used, in seconds since 1970-01-01 UTC. Recorded at most every ten minutes.',
  program: 'The browser and its operating system, to be shown to users, like `Firefox on Linux`.',
  address: 'The IP address from which the session was last used.',
  is_trusted:
    'Whether the user chose to stay signed in on the device. A client should keep data on a device only if its own session is trusted.',
  is_current: 'Whether the request was made with this session.',
})
describeEndpoint(api.sessions.list, {}, { sessions: 'The sessions, the most recently used first.' })
describeEndpoint(api.sessions.end, { session_id: 'The id of the session.' }, {})
describeEndpoint(api.sessions.endOfUser, { user_id: texts.userId }, {})
describeEndpoint(api.sessions.endOthers, {}, {})
describeEndpoint(api.sessions.endCurrent, {}, {})
