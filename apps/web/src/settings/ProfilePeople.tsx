import type { ProfileField, UserId } from '@oxbow/contract'
import { peopleById } from '../client/people/people.ts'
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
  onChange: (user_ids: readonly UserId[]) => void
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

function readIds(value: string): readonly UserId[] {
  try {
    const ids: unknown = JSON.parse(value || '[]')
    return Array.isArray(ids) ? ids.filter((id): id is UserId => typeof id === 'number') : []
  } catch {
    return []
  }
}
