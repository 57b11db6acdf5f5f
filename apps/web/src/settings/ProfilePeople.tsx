import type { ProfileField } from '@oxbow/contract'
import { peopleById } from '../data/people.ts'
import { PeopleField } from '../streams/PeopleField.tsx'

/** A field of the profile that names other people. */
export function ProfilePeople({
  field,
  value,
  problem,
  onChange,
}: {
  field: ProfileField
  value: string
  problem: string | undefined
  onChange: (user_ids: readonly number[]) => void
}) {
  return (
    <PeopleField
      label={field.name}
      hint={field.hint}
      problem={problem}
      chosen={readIds(value)}
      onChange={onChange}
      isExcluded={(user_id) => peopleById.value.get(user_id)?.is_bot === true}
    />
  )
}

function readIds(value: string): readonly number[] {
  try {
    const ids: unknown = JSON.parse(value || '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : []
  } catch {
    return []
  }
}
