import {
  ApiError,
  type api,
  isAdministrator,
  type PermissionAction,
  permissionActions,
  permissionRules,
  type ResponseOf,
  refusedBy,
} from '@oxbow/contract'
import { getOrganization } from '../../organization/queries.ts'
import { findUser } from '../../people/users/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import * as messages from './explain-messages.ts'
import * as organization from './explain-organization.ts'
import * as streams from './explain-streams.ts'
import * as users from './explain-users.ts'
import type { Explain, Explanation, Params, Question } from './question.ts'

const explainers: Record<PermissionAction, Explain> = {
  see_stream: streams.explainSeeing,
  read_history: streams.explainHistory,
  subscribe: streams.explainSubscribing,
  add_subscribers: streams.explainAddingSubscribers,
  post: streams.explainPosting,
  start_topic: streams.explainStartingTopic,
  create_stream: streams.explainCreating,
  edit_stream: streams.explainEditingStream,
  archive_stream: streams.explainArchiving,
  edit_message: messages.explainEditingMessage,
  edit_topic: messages.explainEditingTopic,
  resolve_topic: messages.explainResolving,
  move_message: messages.explainMoving,
  delete_message: messages.explainDeleting,
  send_private_message: messages.explainWriting,
  invite: organization.explainInviting,
  create_bot: organization.explainCreatingBots,
  edit_group: organization.explainEditingGroups,
  add_emoji: organization.explainAddingEmoji,
  see_email: users.explainSeeingAddress,
  change_user: users.explainChanging,
  deactivate_user: users.explainDeactivating,
  change_settings: organization.explainChangingSettings,
}

/** Explains a permission by evaluating the rules of the features, without performing the action. */
export async function explainPermission(
  app: App,
  asker: Actor,
  params: Params,
): Promise<ResponseOf<typeof api.permissions.explain>> {
  if (params.user_id !== asker.user_id && !isAdministrator(asker.role))
    throw new ApiError('INSUFFICIENT_PERMISSION')
  const account = await findUser(app.db, asker.organization_id, params.user_id)
  if (!account) throw new ApiError('NO_SUCH_USER')
  requireParams(params)
  const rules = await getOrganization(app.db, asker.organization_id)
  const { decision, facts } = await explain({ app, asker, account, organization: rules, params })
  return {
    ...decision,
    reason: permissionRules[decision.rule],
    facts: {
      role: account.role,
      bot_type: account.bot_type,
      is_active: account.is_active,
      date_joined: account.date_joined.toISOString(),
      ...facts,
    },
  }
}

function explain(question: Question): Explanation | Promise<Explanation> {
  const { account, params } = question
  if (!account.is_active) return { decision: refusedBy('account_deactivated') }
  return explainers[params.action](question)
}

function requireParams(params: Params): void {
  const needed: readonly (keyof Params)[] = permissionActions[params.action]
  const missing = needed.find((name) => params[name] === undefined)
  if (missing) throw new ApiError('REQUEST_VARIABLE_MISSING', { var_name: missing })
}
