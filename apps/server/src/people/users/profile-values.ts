import {
  ApiError,
  type api,
  type FieldValue,
  maxProfileCharacters,
  type ParamsOf,
  type ProfileFieldId,
} from '@oxbow/contract'
import { sql } from 'kysely'
import { emitAbout } from '../../identity/accounts/emit-about.ts'
import type { Viewer } from '../../identity/accounts/sight.ts'
import { writeAs } from '../../identity/write-as.ts'
import { lockProfileFields } from '../../organization/profile-fields/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { ProfileFieldRow, UserRow } from '../../platform/database/tables.ts'
import { checkProfileValue } from './check-profile-value.ts'
import { profileValueChanged } from './events.ts'
import { type GetRenderedValue, isMarkdown, renderProfileValues } from './render-profile-values.ts'

type ProfileOwner = Pick<UserRow, 'organization_id' | 'id'>

export async function setOwnProfileData(
  app: App,
  actor: Actor,
  { data }: ParamsOf<typeof api.users.setProfileData>,
): Promise<object> {
  const rendered = await renderProfileValues(app, actor.organization_id, data)
  return writeAs(app, actor, async (tx) => {
    await setValues(tx, getProfileOwner(actor), actor, data, rendered)
    return {}
  })
}

export async function clearOwnProfileData(
  app: App,
  actor: Actor,
  { data }: ParamsOf<typeof api.users.clearProfileData>,
): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    await clearValues(tx, getProfileOwner(actor), data)
    return {}
  })
}

/** Applies changes by an administrator: clears the fields with empty values, then sets the others. */
export async function changeProfileValues(
  tx: Tx,
  owner: ProfileOwner,
  writer: Viewer,
  values: FieldValue[],
  getRenderedValue: GetRenderedValue,
): Promise<void> {
  const cleared = values.filter(({ value }) => isEmpty(value))
  await clearValues(
    tx,
    owner,
    cleared.map(({ id }) => id),
  )
  await setValues(
    tx,
    owner,
    writer,
    values.filter(({ value }) => !isEmpty(value)),
    getRenderedValue,
  )
}

const getProfileOwner = ({ organization_id, user_id }: Actor): ProfileOwner => ({
  organization_id,
  id: user_id,
})

function isEmpty(value: FieldValue['value']): boolean {
  return value === null || value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
}

async function clearValues(tx: Tx, owner: ProfileOwner, ids: ProfileFieldId[]): Promise<void> {
  if (ids.length === 0) return
  const fields = await fieldsById(tx, owner)
  const cleared = new Set(ids.map((id) => getField(fields, id).id))
  const deleted = await tx
    .deleteFrom('profile_value')
    .where('organization_id', '=', owner.organization_id)
    .where('user_id', '=', owner.id)
    .where('field_id', 'in', [...cleared])
    .returning('field_id as id')
    .execute()
  // Emits events only for values that this statement deleted. If another request sets a value
  // concurrently, that request emits its event.
  await emitAbout(
    tx,
    owner,
    deleted.map(({ id }) => profileValueChanged(owner, { id, value: null })),
  )
}

async function setValues(
  tx: Tx,
  owner: ProfileOwner,
  writer: Viewer,
  values: FieldValue[],
  getRenderedValue: GetRenderedValue,
): Promise<void> {
  if (values.length === 0) return
  const fields = await fieldsById(tx, owner)
  // One statement cannot write a row twice, so only the last value of a repeated field is written.
  const lastValues = new Map(values.map(({ id, value }) => [id, value]))
  const texts = new Map<ProfileFieldId, string>()
  for (const [id, value] of lastValues)
    texts.set(id, await checkProfileValue(tx, writer, getField(fields, id), value))
  const rows = [...texts].map(([field_id, value]) => {
    const rendered_value = isMarkdown(getField(fields, field_id)) ? getRenderedValue(value) : null
    return { field_id, value, rendered_value }
  })
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
  await refuseLongProfile(tx, owner)
  await emitAbout(
    tx,
    owner,
    rows.map(({ field_id, ...row }) => profileValueChanged(owner, { id: field_id, ...row })),
  )
}

/** Throws if the values are too long together, because everyone's state contains them. */
async function refuseLongProfile(tx: Tx, owner: ProfileOwner): Promise<void> {
  const { characters } = await tx
    .selectFrom('profile_value')
    .select(
      sql<number>`sum(char_length(value) + coalesce(char_length(rendered_value), 0))::int`.as('characters'),
    )
    .where('organization_id', '=', owner.organization_id)
    .where('user_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  if (characters > maxProfileCharacters)
    throw new ApiError('PROFILE_TOO_LONG', { limit: maxProfileCharacters })
}

async function fieldsById(tx: Tx, owner: ProfileOwner): Promise<Map<ProfileFieldId, ProfileFieldRow>> {
  const fields = await lockProfileFields(tx, owner.organization_id)
  return new Map(fields.map((field) => [field.id, field]))
}

function getField(fields: Map<ProfileFieldId, ProfileFieldRow>, id: ProfileFieldId): ProfileFieldRow {
  const field = fields.get(id)
  if (!field) throw new ApiError('FIELD_NOT_FOUND', { id })
  return field
}
