import type { OrganizationId, UserId } from '@oxbow/contract'
import type { App } from '../../platform/app.ts'
import { type FoundPerson, listPeopleByEmailOrName } from './queries.ts'

export interface Person {
  id: UserId
  full_name: string
}

/** Maximum number of names in a delivery that are looked up; further names are ignored. */
const maxPeople = 50

/** Finds people by the addresses and names in a delivery. An ambiguous name matches nobody. */
export async function findPeople(
  { config, db }: Pick<App, 'config' | 'db'>,
  organization_id: OrganizationId,
  names: readonly string[],
): Promise<Map<string, Person>> {
  const uniqueNames = [...new Set(names)].slice(0, maxPeople).filter((name) => !name.includes('\0'))
  if (uniqueNames.length === 0) return new Map()
  const keys = uniqueNames.map(fold)
  const found = await listPeopleByEmailOrName(config, db, organization_id, keys)
  return new Map(
    uniqueNames.flatMap((name) => {
      const person = findUnique(found, fold(name))
      return person ? [[name, person]] : []
    }),
  )
}

const fold = (text: string): string => text.trim().toLowerCase()

function findUnique(found: readonly FoundPerson[], key: string): Person | undefined {
  const byAddress = found.find(({ email }) => fold(email) === key)
  const byName = found.filter(({ full_name }) => fold(full_name) === key)
  return byAddress ?? (byName.length === 1 ? byName[0] : undefined)
}
