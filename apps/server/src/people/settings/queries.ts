import {
  type DisplaySettings,
  displaySettingNames,
  type NotificationSettings,
  notificationSettingNames,
  type OrganizationId,
  type UserId,
} from '@oxbow/contract'
import type { Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'

interface AccountKey {
  organization_id: OrganizationId
  user_id: UserId
}

export async function getDisplaySettings(db: Db, owner: AccountKey): Promise<DisplaySettings> {
  return selectSettings(db, owner).select(displaySettingNames).executeTakeFirstOrThrow()
}

export async function getNotificationSettings(db: Db, owner: AccountKey): Promise<NotificationSettings> {
  return selectSettings(db, owner).select(notificationSettingNames).executeTakeFirstOrThrow()
}

export async function getEnterSends(db: Db, owner: AccountKey): Promise<boolean> {
  return (await selectSettings(db, owner).select('enter_sends').executeTakeFirstOrThrow()).enter_sends
}

/** A user's progress in the tutorial. */
export type Tour = Pick<Selectable<Tables['user_setting']>, 'tutorial_status' | 'seen_hotspots'>

export async function getTour(db: Db, owner: AccountKey): Promise<Tour> {
  return selectSettings(db, owner).select(['tutorial_status', 'seen_hotspots']).executeTakeFirstOrThrow()
}

export async function updateUserSettings(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
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

/** Selects settings joined with the account, which contains the time zone. */
function selectSettings(db: Db, { organization_id, user_id }: AccountKey) {
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
