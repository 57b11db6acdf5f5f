import { allOf, api } from '@oxbow/contract'
import { decideEmojiChange } from '../../organization/emoji/change-emoji.ts'
import { decideMayEditGroups, decideMayInvite } from '../../organization/permissions.ts'
import { decideMayEditGroup } from '../../organization/user-groups/access.ts'
import { decideMayCreateBot } from '../../people/users/bots/creation-policy.ts'
import { decideCall } from '../../platform/http/bind.ts'
import type { Explain } from './question.ts'

export const explainInviting: Explain = ({ account, organization }) => ({
  decision: allOf(decideCall(account, api.invitations.send), decideMayInvite(organization, account)),
  facts: {
    invite_by_admins_only: organization.invite_by_admins_only,
    invite_required: organization.invite_required,
  },
})

/** Explains editing the group in the request, or creating a group if the request has none. */
export const explainEditingGroups: Explain = async ({ app, account, organization, params }) => {
  const { organization_id, id: user_id, role } = account
  const editing = allOf(
    decideCall(account, api.userGroups.update),
    decideMayEditGroups(organization, account),
  )
  const group = params.user_group_id && { organization_id, id: params.user_group_id }
  return {
    decision: group ? allOf(editing, await decideMayEditGroup(app.db, { role, user_id }, group)) : editing,
    facts: { user_group_edit_policy: organization.user_group_edit_policy },
  }
}

export const explainCreatingBots: Explain = ({ account, organization, params: { bot_type } }) => ({
  decision: allOf(decideCall(account, api.bots.create), decideMayCreateBot(account, organization, bot_type)),
  facts: { bot_creation_policy: organization.bot_creation_policy, bot_type },
})

export const explainAddingEmoji: Explain = ({ account, organization }) => ({
  decision: allOf(decideCall(account, api.emoji.upload), decideEmojiChange(organization, account)),
  facts: { add_emoji_by_admins_only: organization.add_emoji_by_admins_only },
})

/** Explains changing settings, domains, pictures and linkifiers, which have the same rule. */
export const explainChangingSettings: Explain = ({ account }) => ({
  decision: decideCall(account, api.organization.update),
})
