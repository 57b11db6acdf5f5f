import { api } from '../api.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { describeEndpoint, describeEvent, describeFields } from '../kernel/describe.ts'
import { presenceEvent } from './events.ts'
import { presenceByClient, presenceOfUser, presenceReport, slimPresence } from './shape.ts'

const reported = 'When the program reported the status, in seconds since 1970-01-01 UTC.'
const { pushable: _, ...newest } = describeFields(presenceReport, {
  client: 'The name of the program that reported the status.',
  status: 'Whether the user was active or idle.',
  timestamp: reported,
  pushable: 'Whether the program can get push notifications.',
})
describeFields(presenceByClient.shape.aggregated, newest)
describeFields(presenceByClient, { aggregated: 'The newest report of all programs.' })
describeFields(slimPresence, {
  active_timestamp:
    'When the user was last active, in seconds since 1970-01-01 UTC. Absent if no program reported it.',
  idle_timestamp:
    'When the user was last idle, in seconds since 1970-01-01 UTC. Absent if no program reported it.',
})
describeFields(presenceOfUser.valueType, {
  status: '`active`, `idle`, or `offline` if the report is older than five minutes.',
  timestamp: reported,
})

export const presencesText =
  'The presence of users in the last two weeks: by address and program, or with `slim_presence` by user id.'

describeEndpoint(
  api.presence.report,
  {
    status: '`active` or `idle`.',
    ping_only: 'Whether to leave `presences` out of the response.',
    new_user_input: 'Whether the user used the client since the last report.',
    slim_presence: 'Whether `presences` is returned by user id, in a compact form.',
  },
  {
    presences: `${presencesText} Absent if \`ping_only\` is true.`,
    server_timestamp: `${texts.serverTimestamp} Absent if \`ping_only\` is true.`,
  },
)
describeEndpoint(
  api.presence.get,
  { user_id_or_email: "The user's id, or the user's address as the caller sees it." },
  { presence: 'The presence of the user, by the name of the program. `aggregated` is the newest report.' },
)
describeEndpoint(
  api.presence.list,
  {},
  {
    presences: presencesText,
    server_timestamp: texts.serverTimestamp,
  },
)
describeEndpoint(
  api.presence.listOf,
  { user_ids: 'The ids of the users, at most 500.' },
  { presences: 'The presence of the users, by user id.', server_timestamp: texts.serverTimestamp },
)
describeEvent(presenceEvent, {
  user_id: texts.userId,
  email: `${texts.email} Absent in queues with \`slim_presence\`.`,
  server_timestamp: texts.serverTimestamp,
  presence: 'The new report, by the name of the program. There is exactly one.',
})
