import { z } from 'zod'
import { type PermissionRule, permissionRules } from '../plain/decisions.ts'

/** Actions whose permission can be explained, each with the parameters that it requires. */
export const permissionActions = {
  see_stream: ['stream_id'],
  read_history: ['stream_id'],
  subscribe: ['stream_id'],
  add_subscribers: ['stream_id'],
  post: ['stream_id'],
  create_stream: [],
  edit_stream: ['stream_id'],
  archive_stream: ['stream_id'],
  edit_message: ['message_id'],
  edit_topic: ['message_id'],
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
  allowed: z.boolean(),
  rule: z.enum(Object.keys(permissionRules) as PermissionRule[]),
  reason: z.string(),
  facts: z.record(z.string(), z.union([z.boolean(), z.int(), z.string()]).nullable()),
}
