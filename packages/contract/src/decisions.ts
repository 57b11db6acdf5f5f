/**
 * The rules that decide what an account may do, each with what it says. A decision names the one that decided, so that
 * whoever refuses and whoever explains say the same.
 */
export const permissionRules = {
  // By what the account is
  account: 'Every account may do this.',
  account_deactivated: 'The account is deactivated.',
  administrator: 'Administrators may do this.',
  must_be_administrator: 'Only administrators may do this.',
  owner: 'Owners may do this.',
  must_be_owner: 'Only owners may do this.',
  not_for_guests: 'Guests may not do this.',
  not_for_bots: 'Only people may do this, and the account is a bot.',
  closed_to_webhook_bots: 'Incoming webhooks may do nothing but post.',
  // By a policy of the organization
  policy_members: 'The organization lets all members do this.',
  policy_full_members: 'The organization lets members do this who joined long enough ago.',
  policy_administrators: 'The organization leaves this to administrators.',
  waiting_period:
    'The account is too new: the organization lets only members do this who joined long enough ago.',
  too_new_to_invite: 'Anyone can join, so only accounts that are some days old invite others.',
  // By the group
  in_group: 'The account is in the group.',
  outside_group: 'Only those in the group and administrators may do this.',
  // By the stream
  stream_unknown: 'The account can see no such stream.',
  stream_archived: 'The stream is archived.',
  stream_public: 'The stream is public.',
  stream_private: 'The stream is private, and the account is not in it.',
  in_stream: 'The account is in the stream.',
  was_in_stream: 'The account was in the stream.',
  guest_outside_stream: 'Guests reach only streams that they are in.',
  history_protected: 'The stream shows only what was said while one was in it.',
  administrators_post: 'Only administrators post to the stream.',
  full_members_post: 'Only those post to the stream who joined long enough ago.',
  bot_owner_in_stream: "The bot's owner is in the stream.",
  // By the message
  message_unknown: 'The account can see no such message.',
  own_message: 'The account wrote the message.',
  others_message: 'Someone else wrote the message.',
  topic_unnamed: 'Anyone may give a topic to a message that has none.',
  community_topics: 'The organization lets everyone keep topics in order.',
  editing_disabled: 'The organization does not let messages be edited.',
  edit_time_over: 'The message is too old to be edited.',
  deleting_disabled: 'The organization does not let people delete their messages.',
  delete_time_over: 'The message is too old to be deleted.',
  streams_not_public: 'Messages are moved from one public stream to another.',
  // By the other person
  private_messages_allowed: 'The organization allows private messages.',
  private_messages_disabled: 'The organization does not allow private messages between people.',
  with_bot: 'Private messages with a bot are always allowed.',
  recipient_deactivated: 'The account of the other person is deactivated.',
  own_bot: 'The bot belongs to the account.',
  last_owner: 'It is the only owner of the organization.',
  own_address: 'It is the address of the account itself.',
  bot_address: 'The addresses of bots are shown to everyone.',
  addresses_shown: 'The organization shows addresses to everyone.',
  addresses_for_administrators: 'The organization shows addresses to administrators alone.',
  addresses_hidden: 'The organization shows addresses to nobody.',
} as const
export type PermissionRule = keyof typeof permissionRules

/** Whether someone may do something, and the rule that says so. */
export interface Decision {
  readonly allowed: boolean
  readonly rule: PermissionRule
}

type Decisions = ReadonlyMap<PermissionRule, Decision>

/** There are few and they never change; some are given for each row of a long list. */
const everyDecision = (allowed: boolean): Decisions =>
  new Map((Object.keys(permissionRules) as PermissionRule[]).map((rule) => [rule, { allowed, rule }]))
const allowing = everyDecision(true)
const refusing = everyDecision(false)

export const allowedBy = (rule: PermissionRule): Decision => allowing.get(rule) as Decision
export const refusedBy = (rule: PermissionRule): Decision => refusing.get(rule) as Decision

/** Where several must all allow it: the first that refuses, or the last. */
export function allOf(first: Decision, ...others: readonly Decision[]): Decision {
  return [first, ...others].find(({ allowed }) => !allowed) ?? others.at(-1) ?? first
}
