/** Header of an event for everyone. The event has about 400 bytes and contains the time of its insert. */
const header = JSON.stringify({ type: 'bench', to: { roles: 'everyone' } })
const event = `'{"type":"bench","at":' || extract(epoch from clock_timestamp()) || ',"text":"${'x'.repeat(350)}"}'`

/**
 * Returns the insert statement that both pgbench and the benchmarks run. Neither uses `emit`, so
 * that their work is the same.
 */
export const insertEvents = (organization_id: number, rows = 1) =>
  `insert into outbox (organization_id, header, event)
   select ${organization_id}, '${header}', ${event} from generate_series(1, ${rows})`

/** Returns an insert statement that also pokes the sequencer, as other nodes do. */
export const insertAndPoke = (organization_id: number) =>
  `with inserted as (${insertEvents(organization_id)}) select pg_notify('oxbow_pokes', '')`
