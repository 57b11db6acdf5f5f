import {
  type GroupValue,
  isInRoleOf,
  isNamedBy,
  isSystemGroup,
  type RightHolder,
  SystemGroup,
} from './group-values.ts'
import { PostPolicy } from './post-policies.ts'
import { isAdministrator, isModerator } from './roles.ts'

/**
 * The rights that a stream gives. The first two restrict what all who can reach the stream may do by
 * default. The others add to the people whom the organization lets do it everywhere.
 */
export const streamRights = [
  'can_send_message_group',
  'can_create_topic_group',
  'can_move_messages_within_channel_group',
  'can_move_messages_out_of_channel_group',
  'can_resolve_topics_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_add_subscribers_group',
] as const
export type StreamRight = (typeof streamRights)[number]

/** Values of rights that differ from the default. */
export type StreamRights = { readonly [Right in StreamRight]?: GroupValue }

const ofGroup = (group: SystemGroup): GroupValue => ({ direct_members: [], direct_subgroups: [group] })

const groupOfPolicy: Record<PostPolicy, GroupValue> = {
  [PostPolicy.everyone]: ofGroup(SystemGroup.everyone),
  [PostPolicy.fullMembers]: ofGroup(SystemGroup.fullMembers),
  [PostPolicy.administrators]: ofGroup(SystemGroup.administrators),
}

/** Returns the strictest post policy that lets nobody post who is not in the group value. */
export function toPostPolicy({ direct_subgroups }: GroupValue): PostPolicy {
  if (direct_subgroups.includes(SystemGroup.everyone)) return PostPolicy.everyone
  const isOnlyFullMembers = direct_subgroups.includes(SystemGroup.fullMembers)
  return isOnlyFullMembers ? PostPolicy.fullMembers : PostPolicy.administrators
}

/**
 * Returns the value in the form in which it is stored: sorted, without repetitions, with the widest of its
 * system groups. Administrators are always included, because they always have every right of a stream.
 */
export function normalizeGroupValue({ direct_members, direct_subgroups }: GroupValue): GroupValue {
  const named = direct_subgroups.filter((id) => !isSystemGroup(id))
  const widest = Math.max(SystemGroup.administrators, ...direct_subgroups.filter(isSystemGroup))
  if (widest === SystemGroup.everyone) return ofGroup(SystemGroup.everyone)
  const sort = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b)
  return { direct_members: sort(direct_members), direct_subgroups: sort([...named, widest]) }
}

const isSame = (a: GroupValue, b: GroupValue): boolean =>
  a.direct_members.join() === b.direct_members.join() &&
  a.direct_subgroups.join() === b.direct_subgroups.join()

/** Returns whether two values give a right to the same accounts and groups. */
export const isSameGroupValue = (a: GroupValue, b: GroupValue): boolean =>
  isSame(normalizeGroupValue(a), normalizeGroupValue(b))

/** Returns the value of a right that a stream has unless it stores another one. */
export const defaultOfRight = (right: Exclude<StreamRight, 'can_send_message_group'>): GroupValue =>
  ofGroup(right === 'can_create_topic_group' ? SystemGroup.everyone : SystemGroup.nobody)

/**
 * Returns whether a right has its default, so that the stream lacks the field: a group that
 * `stream_post_policy` expresses for posting, everyone for topics, and nobody for the others.
 */
export function isDefaultOfRight(right: StreamRight, value: unknown): boolean {
  const defaults = right === 'can_send_message_group' ? Object.values(groupOfPolicy) : [defaultOfRight(right)]
  return defaults.some(({ direct_subgroups: [group] }) => group === value)
}

/** Returns the stream's settings after a right got a value. */
export function withRight(
  { stream_post_policy, rights }: StreamWithRights,
  right: StreamRight,
  given: GroupValue,
): StreamWithRights {
  const { [right]: _, ...others } = rights
  const value = normalizeGroupValue(given)
  const isPosting = right === 'can_send_message_group'
  const policy = isPosting ? toPostPolicy(value) : stream_post_policy
  const byDefault = isPosting ? groupOfPolicy[policy] : defaultOfRight(right)
  const isStored = !isSameGroupValue(value, byDefault)
  return { stream_post_policy: policy, rights: isStored ? { ...others, [right]: value } : others }
}

export interface StreamWithRights {
  readonly stream_post_policy: PostPolicy
  readonly rights: StreamRights
}

/**
 * Returns the stored value that decides who may post. Undefined if `stream_post_policy` decides: without a
 * stored value, or if a node of the previous release, which knows only the policy, changed it afterwards.
 */
export function findPostRight({ stream_post_policy, rights }: StreamWithRights): GroupValue | undefined {
  const value = rights.can_send_message_group
  return value && toPostPolicy(value) === stream_post_policy ? value : undefined
}

/** Returns the value of a right as clients see it. */
export function getRight(stream: StreamWithRights, right: StreamRight): GroupValue {
  if (right === 'can_send_message_group')
    return findPostRight(stream) ?? groupOfPolicy[stream.stream_post_policy]
  return stream.rights[right] ?? defaultOfRight(right)
}

/**
 * Returns whether an account has what a group value gives. Administrators always have it. A bot has it if
 * it, or its owner, is named, moderates or administrates; through a role below only if its owner has
 * it too, so that nobody gains a right by a bot.
 */
export function hasRight(value: GroupValue, account: RightHolder, owner?: RightHolder): boolean {
  const holders = owner ? [account, owner] : [account]
  if (holders.some(({ role }) => isAdministrator(role))) return true
  if (holders.some((holder) => isNamedBy(value, holder))) return true
  if (holders.some((holder) => isModerator(holder.role) && isInRoleOf(value, holder))) return true
  return holders.every((holder) => isInRoleOf(value, holder))
}

export const isStreamRight = (property: string): property is StreamRight =>
  streamRights.includes(property as StreamRight)
