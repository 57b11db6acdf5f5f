import {
  ApiError,
  date,
  FieldType,
  type FieldValue,
  maxCharacters,
  maxItems,
  maxPeopleOfValue,
  parseOrRefuse,
  type UserId,
  url,
} from '@oxbow/contract'
import { z } from 'zod'
import { filterSeen, type Viewer } from '../../identity/accounts/sight.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { ProfileFieldRow } from '../../platform/database/tables.ts'
import { listUsersById } from './queries.ts'

/**
 * Returns the value as it is stored. Throws an error with the field's name if the value is invalid. A value
 * can name only users whom the writer sees.
 */
export async function checkProfileValue(
  tx: Tx,
  writer: Viewer,
  field: ProfileFieldRow,
  value: FieldValue['value'],
): Promise<string> {
  switch (field.type) {
    case FieldType.longText:
      return parseOrRefuse(maxCharacters(500), value, field.name)
    case FieldType.choice:
      return checkChoice(field, value)
    case FieldType.date:
      return parseOrRefuse(date(), value, field.name)
    case FieldType.url:
      return parseOrRefuse(url(), value, field.name)
    case FieldType.people:
      return JSON.stringify(await checkPeople(tx, writer, value))
    default:
      return parseOrRefuse(maxCharacters(50), value, field.name)
  }
}

function checkChoice(field: ProfileFieldRow, value: FieldValue['value']): string {
  const choices: Record<string, unknown> = JSON.parse(field.field_data)
  if (typeof value === 'string' && Object.hasOwn(choices, value)) return value
  throw new ApiError('VALUE_NOT_A_CHOICE', { value: String(value), field: field.name })
}

async function checkPeople(tx: Tx, writer: Viewer, value: FieldValue['value']): Promise<UserId[]> {
  const named = parseOrRefuse(maxItems(z.int(), maxPeopleOfValue), value, 'User IDs') as UserId[]
  const ids = [...new Set(named)]
  const seen = await filterSeen(tx, writer, ids)
  const found = await listUsersById(tx, writer.organization_id, [...seen])
  const users = new Map(found.map((user) => [user.id, user]))
  for (const id of ids) {
    const user = users.get(id)
    if (!user) throw new ApiError('INVALID_USER_ID', { id })
    if (!user.is_active) throw new ApiError('VALUE_USER_DEACTIVATED', { id })
    if (user.bot_type !== null) throw new ApiError('VALUE_USER_IS_BOT', { id })
  }
  return ids
}
