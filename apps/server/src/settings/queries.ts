import {
  type DisplaySettings,
  displaySettingNames,
  type NotificationSettings,
  notificationSettingNames,
  type OrganizationId,
  type UserId,
} from '@oxbow/contract'
import type { Db } from '../platform/database/database.ts'

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
