import {
  type DisplaySettings,
  displaySettingNames,
  type NotificationSettings,
  notificationSettingNames,
  type OrganizationId,
  type UserId,
} from '@oxbow/contract'
import type { Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import type { Tables } from '../platform/database/tables.ts'

interface Owner {
  organization_id: OrganizationId
  user_id: UserId
}

export async function getDisplaySettings(db: Db, owner: Owner): Promise<DisplaySettings> {
  return ownedBy(db, owner).select(displaySettingNames).executeTakeFirstOrThrow()
}

export async function getNotificationSettings(db: Db, owner: Owner): Promise<NotificationSettings> {
  return ownedBy(db, owner).select(notificationSettingNames).executeTakeFirstOrThrow()
}

export async function getEnterSends(db: Db, owner: Owner): Promise<boolean> {
  return (await ownedBy(db, owner).select('enter_sends').executeTakeFirstOrThrow()).enter_sends
}

/** What newcomers have seen of the screen. */
export type Tour = Pick<Selectable<Tables['user_setting']>, 'tutorial_status' | 'seen_hotspots'>

export async function getTour(db: Db, owner: Owner): Promise<Tour> {
  return ownedBy(db, owner).select(['tutorial_status', 'seen_hotspots']).executeTakeFirstOrThrow()
}

export async function updateSettings(
  tx: Tx,
  { organization_id, user_id }: Owner,
  values: Updateable<Tables['user_setting']>,
): Promise<void> {
  if (Object.keys(values).length === 0) return
  await tx
    .updateTable('user_setting')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .execute()
}

/** With the account beside them: the time zone is kept there. */
function ownedBy(db: Db, { organization_id, user_id }: Owner) {
  return db
    .selectFrom('user_setting')
    .innerJoin('user_account', (join) =>
      join
        .onRef('user_account.organization_id', '=', 'user_setting.organization_id')
        .onRef('user_account.id', '=', 'user_setting.user_id'),
    )
    .where('user_setting.organization_id', '=', organization_id)
    .where('user_setting.user_id', '=', user_id)
}
