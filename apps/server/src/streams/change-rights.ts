import {
  ApiError,
  type GroupSetting,
  type GroupSettingChange,
  type GroupValue,
  getRight,
  isSameGroupValue,
  isSystemGroup,
  type OrganizationId,
  PostPolicy,
  type StreamRight,
  streamRights,
  type UserGroupId,
  type UserId,
  withRight,
} from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import type { Audience } from '../events/record.ts'
import { listAccounts, listExistingGroups } from '../organization/user-groups/queries.ts'
import type { Tx } from '../platform/database/database.ts'
import { rightChanged, streamUpdated } from './events.ts'
import { type StreamWithMembership, updateStreamRow } from './queries.ts'

/** Requested changes of rights. */
export type RightChanges = { readonly [Right in StreamRight]?: GroupSettingChange | undefined }

export const changesRights = (changes: RightChanges): boolean =>
  streamRights.some((right) => changes[right] !== undefined)

/**
 * Gives the stream's rights to others. The organization's role lock must be held exclusively, so that no
 * group that gets a right changes meanwhile, and no message is sent by a right that is taken.
 */
export async function changeRights(
  tx: Tx,
  before: StreamWithMembership,
  changes: RightChanges,
  to: Audience,
): Promise<StreamWithMembership> {
  let stream = before
  for (const right of streamRights) {
    const change = changes[right]
    if (!change) continue
    if (change.old !== undefined && !isSameGroupValue(toGroupValue(change.old), getRight(before, right)))
      throw new ApiError('RIGHT_OUTDATED')
    const value = toGroupValue(change.new)
    await requireNamed(tx, stream.organization_id, value)
    stream = { ...stream, ...withRight(stream, right, value) }
  }
  await storeRights(tx, before, stream, to)
  return stream
}

/** Stores the rights and the post policy of `stream`, and emits what differs from `before`. */
export async function storeRights(
  tx: Tx,
  before: StreamWithMembership,
  stream: StreamWithMembership,
  to: Audience,
): Promise<void> {
  const { rights, stream_post_policy } = stream
  await updateStreamRow(tx, stream, { rights, stream_post_policy })
  if (stream_post_policy !== before.stream_post_policy) emitPostPolicy(tx, stream, to)
  for (const right of streamRights) {
    const value = getRight(stream, right)
    if (!isSameGroupValue(value, getRight(before, right))) emit(tx, rightChanged(stream, right, value, to))
  }
}

export function emitPostPolicy(tx: Tx, stream: StreamWithMembership, to: Audience): void {
  const value = stream.stream_post_policy
  emit(tx, streamUpdated(stream, { property: 'stream_post_policy', value }, to))
  const isAnnouncementOnly = value === PostPolicy.administrators
  emit(tx, streamUpdated(stream, { property: 'is_announcement_only', value: isAnnouncementOnly }, to))
}

const toGroupValue = (setting: GroupSetting): GroupValue =>
  typeof setting === 'number' ? { direct_members: [], direct_subgroups: [setting] } : setting

/** Throws if the value names an account or a group that does not exist. */
async function requireNamed(
  tx: Tx,
  organization_id: OrganizationId,
  { direct_members, direct_subgroups }: GroupValue,
): Promise<void> {
  const accounts = await listAccounts(tx, organization_id, direct_members as UserId[])
  const unknown = direct_members.find((id) => !accounts.has(id as UserId))
  if (unknown !== undefined) throw new ApiError('INVALID_USER_ID', { id: unknown })
  const ids = direct_subgroups.filter((id) => !isSystemGroup(id)) as UserGroupId[]
  const groups = await listExistingGroups(tx, organization_id, ids)
  if (ids.some((id) => !groups.has(id))) throw new ApiError('USER_GROUP_INVALID')
}
