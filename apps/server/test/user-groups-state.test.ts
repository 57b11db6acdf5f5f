import { after, test } from 'node:test'
import type { UserGroupId } from '@oxbow/contract'
import { expectSameState, startWorld } from '@oxbow/testkit'
import { addMembers, makeGroup, removeMembers } from '@oxbow/testkit/calls/user-groups'

// Each test makes changes and asserts that states updated by events equal fresh states.

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
const robin = await world.bot('robin', iris)
const everyone = { owner, ada, iris, gus, robin }
const checkState = (change: () => Promise<unknown>) =>
  expectSameState(world, everyone, change, { mayDefer: true })

test('user groups are created, changed and deleted', async () => {
  let id = 0 as UserGroupId
  await checkState(async () => {
    id = await makeGroup(iris, 'bakers', iris, gus, robin)
  })
  const another = await makeGroup(iris, 'millers', iris, otto, gus)
  await checkState(() => iris.userGroups.update({ user_group_id: id, name: 'Bakers', description: 'Bread' }))
  await checkState(() => addMembers(iris, id, owner, otto, ada))
  await checkState(() => removeMembers(iris, id, gus, owner))
  await checkState(async () => {
    await iris.userGroups.remove({ user_group_id: id })
    const third = await makeGroup(ada, 'Bakers')
    await addMembers(owner, third, iris, robin)
    await removeMembers(iris, third, iris)
    await iris.userGroups.update({ user_group_id: another, name: 'bakers' })
  })
})

test('a member of groups is deactivated, reactivated and gets other roles', async () => {
  const id = await makeGroup(iris, 'cooks', iris, otto, gus)
  const { user_id } = otto
  await checkState(() => owner.users.deactivate({ user_id }))
  await checkState(() => addMembers(iris, id, robin))
  await checkState(() => owner.users.reactivate({ user_id }))
  await checkState(() => owner.users.update({ user_id: gus.user_id, role: 400 }))
  await checkState(() => removeMembers(gus, id, gus, otto))
  await checkState(() => owner.users.update({ user_id: gus.user_id, role: 600 }))
})
