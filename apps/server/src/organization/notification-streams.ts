import { type OrganizationId, Role, type StreamId } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import type { Audience } from '../events/record.ts'
import type { Tx } from '../platform/database/database.ts'
import type { OrganizationRow, UserRow } from '../platform/database/tables.ts'
import { getOrganization, lockOrganization, updateOrganization } from './queries.ts'

/** The settings that name a stream for the notices of the server. */
export const noticeStreamSettings = ['notifications_stream_id', 'signup_notifications_stream_id'] as const
type NoticeStreamSetting = (typeof noticeStreamSettings)[number]

const noStream = -1
const rolesThatSeeNoticeStreams = [Role.owner, Role.administrator, Role.moderator, Role.member] as const

/** Guests cannot see most streams, so these settings are unset for all guests. */
const canSeeNoticeStreams = (role: Role): boolean =>
  rolesThatSeeNoticeStreams.some((seeing) => seeing === role)

/** Returns the settings as clients with this role get them. */
export function viewNoticeStreams(
  organization: Pick<OrganizationRow, NoticeStreamSetting>,
  role: Role,
): Record<NoticeStreamSetting, number> {
  const view = (name: NoticeStreamSetting) =>
    (canSeeNoticeStreams(role) ? organization[name] : null) ?? noStream
  return {
    notifications_stream_id: view('notifications_stream_id'),
    signup_notifications_stream_id: view('signup_notifications_stream_id'),
  }
}

/** Returns the audience of a changed setting. */
export const getSettingAudience = (property: string): Audience =>
  noticeStreamSettings.some((name) => name === property)
    ? { roles: rolesThatSeeNoticeStreams }
    : { roles: 'everyone' }

/**
 * Emits the settings that an account sees differently after its role changes. The organization's role lock
 * must be held exclusively, so that they do not change meanwhile.
 */
export async function emitNoticeStreamsForRole(
  tx: Tx,
  { organization_id, id, role: before }: Pick<UserRow, 'organization_id' | 'id' | 'role'>,
  role: Role,
): Promise<void> {
  if (canSeeNoticeStreams(before) === canSeeNoticeStreams(role)) return
  const shown = viewNoticeStreams(await getOrganization(tx, organization_id), role)
  for (const property of noticeStreamSettings) {
    const event = { type: 'realm', op: 'update', property, value: shown[property] }
    emit(tx, { organization_id, event, to: { users: [id] } })
  }
}

/** Unsets the organization's settings that name the archived stream for notices. */
export async function unsetNotificationStream(tx: Tx, id: OrganizationId, stream: StreamId): Promise<void> {
  const organization = await lockOrganization(tx, id)
  for (const property of noticeStreamSettings) {
    if (organization[property] !== stream) continue
    await updateOrganization(tx, id, { [property]: null })
    emit(tx, {
      organization_id: id,
      event: { type: 'realm', op: 'update', property, value: noStream },
      to: getSettingAudience(property),
      effects: [{ kind: 'organization' }],
    })
  }
}
