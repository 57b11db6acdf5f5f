import type { UserId } from '@oxbow/contract'
import { FieldType } from '@oxbow/contract/plain'
import { formatDate } from '../client/formats/dates.ts'
import { startOfDay } from '../client/formats/local-time.ts'
import { profileFields } from '../client/store.ts'

/** A value of a person's profile, for display. */
export interface ProfileValue {
  readonly id: number
  /** Name of the field. */
  readonly name: string
  readonly text: string
  readonly href?: string
  readonly user_ids?: readonly UserId[]
}

type Values = Readonly<Record<string, { readonly value: string }>>
type Field = NonNullable<typeof profileFields.value>[number]

/** Lists the filled fields of a profile, in the organization's order. Reads signals. */
export function listProfileValues(values: Values): ProfileValue[] {
  return (profileFields.value ?? []).flatMap((field) => {
    const value = values[field.id]?.value
    return value ? [{ id: field.id, name: field.name, ...describeValue(field, value) }] : []
  })
}

function describeValue({ type, field_data }: Field, value: string): Omit<ProfileValue, 'id' | 'name'> {
  switch (type) {
    case FieldType.choice:
      return { text: readChoices(field_data)[value]?.text ?? value }
    case FieldType.date:
      return { text: Number.isNaN(startOfDay(value)) ? value : formatDate(startOfDay(value)) }
    case FieldType.url:
      return /^https?:\/\//i.test(value) ? { text: value, href: value } : { text: value }
    case FieldType.people:
      return { text: '', user_ids: readIds(value) }
    default:
      return { text: value }
  }
}

function readChoices(field_data: string): Record<string, { text?: string } | undefined> {
  try {
    return JSON.parse(field_data) as Record<string, { text?: string }>
  } catch {
    return {}
  }
}

function readIds(value: string): readonly UserId[] {
  try {
    const ids: unknown = JSON.parse(value)
    return Array.isArray(ids) ? ids.filter((id) => Number.isInteger(id)) : []
  } catch {
    return []
  }
}
