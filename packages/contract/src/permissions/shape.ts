import { z } from 'zod'
import { field } from '../kernel/field.ts'
import { type PermissionRule, permissionRules } from '../plain/decisions.ts'

/** Actions whose permission can be explained, each with the parameters that it requires. */
export const permissionActions = {
  see_stream: ['stream_id'],
  read_history: ['stream_id'],
  subscribe: ['stream_id'],
  add_subscribers: ['stream_id'],
  post: ['stream_id'],
  start_topic: ['stream_id'],
  create_stream: [],
  edit_stream: ['stream_id'],
  archive_stream: ['stream_id'],
  edit_message: ['message_id'],
  edit_topic: ['message_id'],
  resolve_topic: ['message_id'],
  move_message: ['message_id', 'stream_id'],
  delete_message: ['message_id'],
  send_private_message: [],
  invite: [],
  create_bot: [],
  edit_group: [],
  add_emoji: [],
  see_email: ['other_user_id'],
  change_user: ['other_user_id'],
  deactivate_user: ['other_user_id'],
  change_settings: [],
} as const satisfies Record<string, readonly ('stream_id' | 'message_id' | 'other_user_id')[]>
export type PermissionAction = keyof typeof permissionActions

export const permissionActionNames = Object.keys(permissionActions) as PermissionAction[]

export const explainedPermission = {
  allowed: field(z.boolean(), 'Whether the account may perform the action.'),
  rule: field(
    z.enum(Object.keys(permissionRules) as PermissionRule[]),
    'The name of the rule that decided. Names do not change.',
  ),
  reason: field(z.string(), 'An explanation of the rule, to be shown to users.'),
  facts: field(
    z.record(z.string(), z.union([z.boolean(), z.int(), z.string()]).nullable()),
    'The data that the rule evaluated, such as roles, policies, subscriptions and ages.',
  ),
}
