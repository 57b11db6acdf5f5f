import type { UserGroup, UserGroupId } from '@oxbow/contract'
import type { Person } from '../world.ts'

const ids = (people: readonly Person[]) => people.map(({ user_id }) => user_id)

/** Creates a user group with these members, and returns its id. */
export async function makeGroup(actor: Person, name: string, ...members: Person[]): Promise<UserGroupId> {
  const { id } = await actor.userGroups.create({ name, description: `All ${name}`, members: ids(members) })
  return id
}

export const addMembers = (actor: Person, user_group_id: UserGroupId, ...people: Person[]) =>
  actor.userGroups.changeMembers({ user_group_id, add: ids(people) })

export const removeMembers = (actor: Person, user_group_id: UserGroupId, ...people: Person[]) =>
  actor.userGroups.changeMembers({ user_group_id, delete: ids(people) })

/** Returns the user group as this person sees it, or undefined if it does not exist. */
export async function readGroup(actor: Person, id: UserGroupId): Promise<UserGroup | undefined> {
  const { user_groups } = await actor.userGroups.list()
  return user_groups.find((group) => group.id === id)
}
