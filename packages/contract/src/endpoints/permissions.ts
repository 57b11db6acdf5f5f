import { messageId, streamId, userGroupId, userId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { json, path, text } from '../kernel/params.ts'
import { oneOfIntegers, oneOfStrings } from '../kernel/schemas.ts'
import { botTypes } from '../roles.ts'
import { explainedPermission, permissionActionNames } from '../shapes/permission.ts'

export const explain = endpoint({
  summary: 'Whether an account may do something, and why.',
  description:
    'For oneself, or asked by an administrator about anyone. The rule is the one that decides when it is done. Whoever cannot see a stream or a message learns no more than that.',
  method: 'GET',
  path: '/api/v1/users/{user_id}/permissions',
  auth: 'user',
  params: {
    user_id: path(userId),
    action: text(oneOfStrings(permissionActionNames)),
    stream_id: json(streamId.optional(), {
      description: 'For all that is done with a stream; where a message goes that is moved',
    }),
    message_id: json(messageId.optional(), { description: 'For all that is done with a message' }),
    other_user_id: json(userId.optional(), {
      description: 'Whom the account writes to, whose address it looks for, or whose account it would change',
    }),
    user_group_id: json(userGroupId.optional(), { description: 'For `edit_group`; without it, any' }),
    bot_type: json(oneOfIntegers(botTypes).default(1), { description: 'For `create_bot`' }),
  },
  response: explainedPermission,
  errors: ['INSUFFICIENT_PERMISSION', 'NO_SUCH_USER', 'USER_IS_DEACTIVATED', 'INVALID_MESSAGE'],
})
