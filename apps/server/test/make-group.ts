import type { UserGroup, UserGroupId } from '@oxbow/contract'
import type { Person } from '@oxbow/testkit'

const ids = (people: readonly Person[]) => people.map(({ user_id }) => user_id)

/** Makes a user group with these members, and returns its id. */
export async function makeGroup(by: Person, name: string, ...members: Person[]): Promise<UserGroupId> {
  const { id } = await by.userGroups.create({ name, description: `All ${name}`, members: ids(members) })
  return id
}

export const join = (by: Person, user_group_id: UserGroupId, ...people: Person[]) =>
  by.userGroups.changeMembers({ user_group_id, add: ids(people) })

export const leave = (by: Person, user_group_id: UserGroupId, ...people: Person[]) =>
  by.userGroups.changeMembers({ user_group_id, delete: ids(people) })

/** Returns the user group as listed for this person. */
export async function readGroup(by: Person, id: UserGroupId): Promise<UserGroup | undefined> {
  const { user_groups } = await by.userGroups.list()
  return user_groups.find((group) => group.id === id)
}
