import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { holdsRoles } from '../platform/database/locks.ts'
import { afterCommit, beforeCommit } from '../platform/database/transaction.ts'
import type { Emission, Header } from './record.ts'

const buffers = new WeakMap<Tx, Emission[]>()

/**
 * The only way to make an event. It is buffered and written as the transaction's last statement, after every row lock:
 * only then is the order of the log the order of the changes.
 */
export function emit(tx: Tx, emission: Emission): void {
  if (emission.to?.roles && !holdsRoles(tx, emission.organization_id)) {
    throw new Error(
      `an event for a class of roles (${emission.event?.type}) is emitted without holding the roles`,
    )
  }
  const buffered = buffers.get(tx)
  if (buffered) {
    buffered.push(emission)
    return
  }
  const emissions = [emission]
  buffers.set(tx, emissions)
  beforeCommit(tx, () => writeOutbox(tx, emissions))
  afterCommit(tx, (db) => onCommit.get(db)?.(emissions))
}

/** Whom to tell after a commit what it put into the outbox; set by the node, if there is one. */
export const onCommit = new WeakMap<object, (emissions: readonly Emission[]) => void>()

async function writeOutbox(tx: Tx, emissions: readonly Emission[]): Promise<void> {
  await sql`
    insert into outbox (organization_id, width, header, event)
    select organization_id, width, header::json, event
    from unnest(
      ${emissions.map((each) => each.organization_id)}::bigint[],
      ${emissions.map((each) => each.width ?? 1)}::int[],
      ${emissions.map((each) => JSON.stringify(headerOf(each)))}::text[],
      ${emissions.map((each) => (each.event ? JSON.stringify(each.event) : null))}::text[]
    ) with ordinality as emitted (organization_id, width, header, event, place)
    order by place`.execute(tx)
}

function headerOf({ event, to, parts, flags, isPublic, effects }: Emission): Header {
  return {
    ...(event && { type: event.type }),
    ...(to && { to }),
    ...(parts && { parts }),
    ...(flags && { flags }),
    ...(isPublic && { isPublic }),
    ...(effects && { effects }),
  }
}
