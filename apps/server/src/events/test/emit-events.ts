import type { OrganizationId } from '@oxbow/contract'
import type { World } from '@oxbow/testkit'
import { lockRoles } from '../../platform/database/locks.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { emit } from '../emit.ts'
import type { Emission } from '../record.ts'

type TestEmission = Omit<Emission, 'organization_id'>

/** Emits events in one transaction on node a, in this order, as an action does. */
export async function emitEvents(world: World, ...emissions: TestEmission[]): Promise<void> {
  const organization_id = world.organization_id as OrganizationId
  await inTransaction(world.nodes.a.app.db, async (tx) => {
    await lockRoles(tx, organization_id, 'shared')
    for (const emission of emissions) emit(tx, { ...emission, organization_id })
  })
}

/**
 * Returns an event of type `note` that has only a name. Its audience is everyone, unless `more`
 * sets another.
 */
export const makeNote = (name: string, more: Partial<TestEmission> = {}): TestEmission => ({
  event: { type: 'note', name },
  to: { roles: 'everyone' },
  ...more,
})

/** Returns the names of events that `makeNote` made. */
export const namesOf = (events: readonly object[]): unknown[] =>
  events.map((event) => (event as { name?: string }).name)
