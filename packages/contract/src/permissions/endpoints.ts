import { messageId, streamId, userGroupId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
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
    user_id: path(userId, 'The id of the user whose permission is explained.'),
    action: text(oneOfStrings(permissionActionNames), 'The action.'),
    stream_id: json(
      streamId.optional(),
      'The id of the stream that the action concerns. For `move_message`, the stream that the message would be moved to.',
    ),
    message_id: json(messageId.optional(), 'The id of the message that the action concerns.'),
    other_user_id: json(
      userId.optional(),
      'The id of the other user: the recipient, the one whose address is looked up, or the one whose account would be changed.',
    ),
    user_group_id: json(
      userGroupId.optional(),
      'For `edit_group`, the id of the user group. Any group if absent.',
    ),
    bot_type: json(oneOfIntegers(botTypes).default(1), `For \`create_bot\`. ${texts.botType}`),
  },
  response: explainedPermission,
  errors: ['INSUFFICIENT_PERMISSION', 'NO_SUCH_USER', 'USER_IS_DEACTIVATED', 'INVALID_MESSAGE'],
})
