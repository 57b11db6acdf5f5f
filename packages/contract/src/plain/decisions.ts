/**
 * Rules that decide what an account may do, each with its explanation. Every decision names the
 * rule that decided, so that a refusal and the endpoint that explains permissions always agree.
 */
export const permissionRules = {
  // Rules about the account
  account: 'Every account may do this.',
  account_deactivated: 'The account is deactivated.',
  administrator: 'Administrators may do this.',
  moderator: 'Moderators may do this.',
  must_be_moderator:
    'Only moderators, administrators and people to whom the stream gives the right may do this.',
  must_be_administrator: 'Only administrators may do this.',
  owner: 'Owners may do this.',
  must_be_owner: 'Only owners may do this.',
  not_for_guests: 'Guests may not do this.',
  not_for_bots: 'Only people may do this, and the account is a bot.',
  closed_to_webhook_bots: 'Incoming-webhook bots may only post.',
  // Rules about policies of the organization
  policy_members: 'The organization lets all members do this.',
  policy_full_members: 'The organization lets full members do this, who joined long enough ago.',
  policy_administrators: 'The organization lets only administrators do this.',
  waiting_period: 'The account is too new: the organization lets only full members do this.',
  too_new_to_invite: 'The organization is open to anyone, so new accounts cannot invite others yet.',
  // Rules about user groups
  in_group: 'The account is a member of the group.',
  outside_group: 'Only members of the group and administrators may do this.',
  group_gives_rights: 'The group gives rights in a stream, so only administrators may change it.',
  // Rules about streams
  stream_unknown: 'The account cannot see such a stream.',
  stream_archived: 'The stream is archived.',
  stream_public: 'The stream is public.',
  stream_private: 'The stream is private, and the account is not subscribed to it.',
  in_stream: 'The account is subscribed to the stream.',
  was_in_stream: 'The account was subscribed to the stream.',
  guest_outside_stream: 'Guests can access only streams that they are subscribed to.',
  history_protected: 'The stream hides messages that were sent before the account subscribed.',
  administrators_post: 'Only administrators may post to the stream.',
  full_members_post: 'Only full members may post to the stream.',
  stream_right: 'The stream gives this right to the account, its role or a group that it is in.',
  stream_right_missing: 'The stream gives this right only to others.',
  topic_exists: 'The topic exists already.',
  bot_owner_in_stream: "The bot's owner is subscribed to the stream.",
  // Rules about messages
  message_unknown: 'The account cannot see such a message.',
  own_message: 'The account sent the message.',
  others_message: 'Another account sent the message.',
  topic_unnamed: 'Everyone may set the topic of a message that has none.',
  community_topics: 'The organization lets everyone change topics.',
  editing_disabled: 'The organization does not allow editing messages.',
  edit_time_over: 'The message is too old to be edited.',
  deleting_disabled: 'The organization does not allow users to delete their messages.',
  delete_time_over: 'The message is too old to be deleted.',
  streams_not_public: 'Messages can be moved only between public streams.',
  // Rules about other users
  private_messages_allowed: 'The organization allows private messages.',
  private_messages_disabled: 'The organization does not allow private messages between people.',
  with_bot: 'Private messages with a bot are always allowed.',
  recipient_deactivated: 'The account of the recipient is deactivated.',
  own_bot: 'The account owns the bot.',
  last_owner: 'The user is the only owner of the organization.',
  own_address: "The address is the account's own.",
  bot_address: 'The addresses of bots are shown to everyone.',
  addresses_shown: 'The organization shows addresses to everyone.',
  addresses_for_administrators: 'The organization shows addresses only to administrators.',
  addresses_hidden: 'The organization shows addresses to nobody.',
} as const
export type PermissionRule = keyof typeof permissionRules

/** Whether an action is allowed, and the rule that decided. */
export interface Decision {
  readonly allowed: boolean
  readonly rule: PermissionRule
}

/**
 * Returns a function that maps a rule to its decision. Each rule has one shared object, because long
 * lists contain a decision for each row. The objects are created on first use, so that bundles without
 * the explanations can leave out `permissionRules`.
 */
function shareDecisions(allowed: boolean): (rule: PermissionRule) => Decision {
  const decisions = new Map<PermissionRule, Decision>()
  return (rule) => {
    const cached = decisions.get(rule)
    if (cached) return cached
    const decision = { allowed, rule }
    decisions.set(rule, decision)
    return decision
  }
}

export const allowedBy = /* @__PURE__ */ shareDecisions(true)
export const refusedBy = /* @__PURE__ */ shareDecisions(false)

/**
 * Combines decisions that must all allow an action. Returns the first refusal, or the last decision
 * if all allow.
 */
export function allOf(first: Decision, ...others: readonly Decision[]): Decision {
  return [first, ...others].find(({ allowed }) => !allowed) ?? others.at(-1) ?? first
}
