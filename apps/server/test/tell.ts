import type { OrganizationId } from '@oxbow/contract'
import type { World } from '@oxbow/testkit'
import { emit } from '../src/events/emit.ts'
import type { Emission } from '../src/events/record.ts'
import { lockRoles } from '../src/platform/database/locks.ts'
import { inTransaction } from '../src/platform/database/transaction.ts'

type Told = Omit<Emission, 'organization_id'>

/** Emits these as an action would, in one transaction. */
export async function tell(world: World, ...emissions: Told[]): Promise<void> {
  const organization_id = world.organization_id as OrganizationId
  await inTransaction(world.nodes.a.app.db, async (tx) => {
    await lockRoles(tx, organization_id, 'shared')
    for (const emission of emissions) emit(tx, { ...emission, organization_id })
  })
}

/** An event that says nothing but its name, for everyone unless something else is given. */
export const note = (name: string, given: Partial<Told> = {}): Told => ({
  event: { type: 'note', name },
  to: { roles: 'everyone' },
  ...given,
})

/** The names of such events. */
export const namesOf = (events: readonly object[]): unknown[] =>
  events.map((event) => (event as { name?: string }).name)
