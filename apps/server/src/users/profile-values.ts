import {
  ApiError,
  type api,
  date,
  FieldType,
  type FieldValue,
  maxCharacters,
  type ParamsOf,
  type ProfileFieldId,
  refuseUnlessFits,
  type UserId,
  url,
} from '@oxbow/contract'
import { z } from 'zod'
import { writeAs } from '../identity/write-as.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import type { ProfileFieldRow, UserRow } from '../platform/database/tables.ts'
import { lockProfileFields } from '../profile-fields/queries.ts'
import { listUsersById } from './queries.ts'

type Owner = Pick<UserRow, 'organization_id' | 'id'>

export async function setOwnProfileData(
  app: App,
  actor: Actor,
  { data }: ParamsOf<typeof api.users.setProfileData>,
): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    await setValues(tx, ownerOf(actor), data)
    return {}
  })
}

export async function clearOwnProfileData(
  app: App,
  actor: Actor,
  { data }: ParamsOf<typeof api.users.clearProfileData>,
): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    await clearValues(tx, ownerOf(actor), data)
    return {}
  })
}

/** What an administrator gives: empty values clear a field, and clearing goes first. */
export async function changeProfileValues(tx: Tx, owner: Owner, values: FieldValue[]): Promise<void> {
  const cleared = values.filter(({ value }) => isEmpty(value))
  await clearValues(
    tx,
    owner,
    cleared.map(({ id }) => id),
  )
  await setValues(
    tx,
    owner,
    values.filter(({ value }) => !isEmpty(value)),
  )
}

const ownerOf = ({ organization_id, user_id }: Actor): Owner => ({ organization_id, id: user_id })

function isEmpty(value: FieldValue['value']): boolean {
  return value === null || value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
}

async function clearValues(tx: Tx, owner: Owner, ids: ProfileFieldId[]): Promise<void> {
  if (ids.length === 0) return
  const fields = await fieldsById(tx, owner)
  const cleared = new Set(ids.map((id) => getField(fields, id).id))
  await tx
    .deleteFrom('profile_value')
    .where('organization_id', '=', owner.organization_id)
    .where('user_id', '=', owner.id)
    .where('field_id', 'in', [...cleared])
    .execute()
}

async function setValues(tx: Tx, owner: Owner, values: FieldValue[]): Promise<void> {
  if (values.length === 0) return
  const fields = await fieldsById(tx, owner)
  // Of a field given twice, the last value stays; one statement could not write it twice.
  const texts = new Map<ProfileFieldId, string>()
  for (const { id, value } of values) texts.set(id, await valueText(tx, owner, getField(fields, id), value))
  const rows = [...texts].map(([field_id, value]) => ({ field_id, value }))
  await tx
    .insertInto('profile_value')
    .values(rows.map((row) => ({ ...row, organization_id: owner.organization_id, user_id: owner.id })))
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'user_id', 'field_id']).doUpdateSet((eb) => ({
        value: eb.ref('excluded.value'),
        rendered_value: eb.ref('excluded.rendered_value'),
      })),
    )
    .execute()
}

async function fieldsById(tx: Tx, owner: Owner): Promise<Map<ProfileFieldId, ProfileFieldRow>> {
  const fields = await lockProfileFields(tx, owner.organization_id)
  return new Map(fields.map((field) => [field.id, field]))
}

function getField(fields: Map<ProfileFieldId, ProfileFieldRow>, id: ProfileFieldId): ProfileFieldRow {
  const field = fields.get(id)
  if (!field) throw new ApiError('FIELD_NOT_FOUND', { id })
  return field
}

/** The value as it is kept, which is always text, or a refusal in the field's own terms. */
async function valueText(
  tx: Tx,
  owner: Owner,
  field: ProfileFieldRow,
  value: FieldValue['value'],
): Promise<string> {
  switch (field.type) {
    case FieldType.longText:
      return refuseUnlessFits(maxCharacters(500), value, field.name)
    case FieldType.choice:
      return checkChoice(field, value)
    case FieldType.date:
      return refuseUnlessFits(date(), value, field.name)
    case FieldType.url:
      return refuseUnlessFits(url(), value, field.name)
    case FieldType.people:
      return JSON.stringify(await checkPeople(tx, owner, value))
    default:
      return refuseUnlessFits(maxCharacters(50), value, field.name)
  }
}

function checkChoice(field: ProfileFieldRow, value: FieldValue['value']): string {
  const choices: Record<string, unknown> = JSON.parse(field.field_data)
  if (typeof value === 'string' && Object.hasOwn(choices, value)) return value
  throw new ApiError('VALUE_NOT_A_CHOICE', { value: String(value), field: field.name })
}

async function checkPeople(tx: Tx, owner: Owner, value: FieldValue['value']): Promise<UserId[]> {
  const ids = refuseUnlessFits(z.array(z.int()), value, 'User IDs') as UserId[]
  const users = new Map((await listUsersById(tx, owner.organization_id, ids)).map((user) => [user.id, user]))
  for (const id of ids) {
    const user = users.get(id)
    if (!user) throw new ApiError('VALUE_USER_INVALID', { id })
    if (!user.is_active) throw new ApiError('VALUE_USER_DEACTIVATED', { id })
    if (user.bot_type !== null) throw new ApiError('VALUE_USER_IS_BOT', { id })
  }
  return ids
}
