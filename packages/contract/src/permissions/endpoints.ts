import { messageId, streamId, userGroupId, userId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { json, path, text } from '../kernel/params.ts'
import { oneOfIntegers, oneOfStrings } from '../kernel/schemas.ts'
import { botTypes } from '../plain/roles.ts'
import { explainedPermission, permissionActionNames } from './shape.ts'

export const explain = endpoint({
  summary: 'Explain whether a user may perform an action.',
  description:
    'Users may ask about themselves, administrators about everyone. The rule in the response is the same that decides when the action is performed. If the user cannot see the stream or the message, the response says only that.',
  method: 'GET',
  path: '/api/v1/users/{user_id}/permissions',
  auth: 'user',
  params: {
    user_id: path(userId),
    action: text(oneOfStrings(permissionActionNames)),
    stream_id: json(streamId.optional()),
    message_id: json(messageId.optional()),
    other_user_id: json(userId.optional()),
    user_group_id: json(userGroupId.optional()),
    bot_type: json(oneOfIntegers(botTypes).default(1)),
  },
  response: explainedPermission,
  errors: ['INSUFFICIENT_PERMISSION', 'NO_SUCH_USER', 'USER_IS_DEACTIVATED', 'INVALID_MESSAGE'],
})
