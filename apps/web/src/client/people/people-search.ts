import type { UserId } from '@oxbow/contract'
import { NameSearch } from '../../text/name-search.ts'
import { activePeople, type Person } from './people.ts'

/** Finds active people and bots by name. */
export const peopleSearch = new NameSearch<Person>(
  () => activePeople.value,
  ({ full_name }) => full_name,
)

/** Returns whether another active person has the same name, ignoring case. Reads signals. */
export function isNameShared(user_id: UserId, full_name: string): boolean {
  const name = full_name.toLowerCase()
  return activePeople.value.some(
    (other) => other.user_id !== user_id && other.full_name.toLowerCase() === name,
  )
}

/**
 * Returns the active person with this name, ignoring case. If several people have it, returns the one
 * with the lowest id. Reads signals.
 */
export function findPersonNamed(full_name: string): Person | undefined {
  const name = full_name.toLowerCase()
  let found: Person | undefined
  for (const person of activePeople.value)
    if (person.full_name.toLowerCase() === name && (!found || person.user_id < found.user_id)) found = person
  return found
}
