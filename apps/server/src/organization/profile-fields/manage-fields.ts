import {
  ApiError,
  type api,
  type FieldType,
  fieldTypes,
  maxCharacters,
  maxFieldDataLength,
  maxProfileFields,
  type OrganizationId,
  type ParamsOf,
  parseOrRefuse,
  type ResponseOf,
} from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Emission } from '../../events/record.ts'
import { recheckActor, writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { ProfileFieldRow } from '../../platform/database/tables.ts'
import { lockOrganization } from '../queries.ts'
import { checkFieldData, findKnownAccount, serializeFieldData } from './field-data.ts'
import {
  deleteProfileField,
  findProfileField,
  insertProfileField,
  listProfileFields,
  orderProfileFields,
  updateProfileField,
} from './queries.ts'
import { viewProfileField } from './views.ts'

type Fields = typeof api.profileFields
type FieldData = Record<string, unknown>

export async function listFields(app: App, actor: Actor): Promise<ResponseOf<Fields['list']>> {
  return { custom_fields: (await listProfileFields(app.db, actor.organization_id)).map(viewProfileField) }
}

export async function createField(
  app: App,
  actor: Actor,
  params: ParamsOf<Fields['create']>,
): Promise<ResponseOf<Fields['create']>> {
  const type = params.field_type
  checkNewFieldData(type, params.field_data)
  const { name, hint } = readNameAndHint(type, params.field_data, params)
  if (!isFieldType(type)) throw new ApiError('FIELD_TYPE_INVALID')
  const field_data = serializeFieldData(type, params.field_data)
  return changeList(app, actor, 'add', async (tx) => {
    const { organization_id } = actor
    const { length: count } = await listProfileFields(tx, organization_id)
    if (count >= maxProfileFields) throw new ApiError('TOO_MANY_PROFILE_FIELDS', { limit: maxProfileFields })
    return { id: await insertProfileField(tx, { organization_id, name, type, hint, field_data }) }
  })
}

export async function updateField(
  app: App,
  actor: Actor,
  params: ParamsOf<Fields['update']>,
): Promise<object> {
  return changeList(app, actor, 'update', async (tx) => {
    const field = await accessField(tx, actor, params.field_id)
    if (findKnownAccount(field.type, parseData(field))) throw new ApiError('FIELD_IS_BUILT_IN')
    checkNewFieldData(field.type, params.field_data)
    const { name, hint } = readNameAndHint(field.type, params.field_data, params)
    const field_data = serializeFieldData(field.type, params.field_data)
    await updateProfileField(tx, actor.organization_id, field.id, { name, hint, field_data })
    return {}
  })
}

export async function removeField(
  app: App,
  actor: Actor,
  params: ParamsOf<Fields['remove']>,
): Promise<object> {
  return changeList(app, actor, 'delete', async (tx) => {
    const field = await accessField(tx, actor, params.field_id)
    await deleteProfileField(tx, actor.organization_id, field.id)
    return {}
  })
}

export async function reorderFields(
  app: App,
  actor: Actor,
  params: ParamsOf<Fields['reorder']>,
): Promise<object> {
  return changeList(app, actor, 'update', async (tx) => {
    const fields = await listProfileFields(tx, actor.organization_id)
    const named = new Set(params.order)
    if (!fields.every((field) => named.has(field.id))) throw new ApiError('FIELD_ORDER_INVALID')
    // If an id occurs more than once, its first position is used. Unknown ids are ignored.
    await orderProfileFields(tx, actor.organization_id, [...named])
    return {}
  })
}

/**
 * Runs `work` while the organization's row is locked, and emits the whole list afterwards. The lock
 * serializes changes, so each emitted list includes all earlier changes.
 */
function changeList<Result>(
  app: App,
  actor: Actor,
  op: 'add' | 'update' | 'delete',
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const { organization_id } = actor
  return writeAs(app, actor, async (tx) => {
    await lockOrganization(tx, organization_id)
    await recheckActor(tx, actor)
    const done = await work(tx)
    emit(tx, profileFieldsChanged(organization_id, op, await listProfileFields(tx, organization_id)))
    return done
  })
}

async function accessField(tx: Tx, actor: Actor, id: ProfileFieldRow['id']): Promise<ProfileFieldRow> {
  const field = await findProfileField(tx, actor.organization_id, id)
  if (!field) throw new ApiError('FIELD_NOT_FOUND', { id })
  return field
}

function readNameAndHint(type: number, data: FieldData, params: { name: string; hint: string }) {
  const knownAccount = findKnownAccount(type, data)
  if (knownAccount) return knownAccount
  const name = params.name.trim()
  if (name === '') throw new ApiError('FIELD_LABEL_BLANK')
  parseOrRefuse(maxCharacters(80), params.hint, 'hint')
  parseOrRefuse(maxCharacters(40), name, 'name')
  return { name, hint: params.hint }
}

/** Imports may contain longer data, which earlier releases stored. */
function checkNewFieldData(type: number, data: FieldData): void {
  parseOrRefuse(maxCharacters(maxFieldDataLength), JSON.stringify(data), 'field_data')
  checkFieldData(type, data)
}

function isFieldType(type: number): type is FieldType {
  return (fieldTypes as readonly number[]).includes(type)
}

function parseData(field: ProfileFieldRow): FieldData {
  return field.field_data === '' ? {} : JSON.parse(field.field_data)
}

/**
 * Builds the event with the complete list of fields, which must have been read after locking the
 * organization's row.
 */
function profileFieldsChanged(
  organization_id: OrganizationId,
  op: 'add' | 'update' | 'delete',
  fields: ProfileFieldRow[],
): Emission {
  return {
    organization_id,
    event: { type: 'custom_profile_fields', op, fields: fields.map(viewProfileField) },
    to: { roles: 'everyone' },
    // Deleting a field deletes the values of all users, so cached users are invalidated.
    ...(op === 'delete' && { effects: [{ kind: 'organization' }] }),
  }
}
