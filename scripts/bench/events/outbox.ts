/** What one event is in the outbox, with the time it was written in it; some 400 bytes, for everyone. */
const header = JSON.stringify({ type: 'bench', to: { roles: 'everyone' } })
const event = `'{"type":"bench","at":' || extract(epoch from clock_timestamp()) || ',"text":"${'x'.repeat(350)}"}'`

/** The statement that pgbench runs and that we run: without `emit`, because it must be the same for both. */
export const insertEvents = (organization_id: number, rows = 1) =>
  `insert into outbox (organization_id, header, event)
   select ${organization_id}, '${header}', ${event} from generate_series(1, ${rows})`

/** As a node does that is not the sequencer. */
export const insertAndPoke = (organization_id: number) =>
  `with inserted as (${insertEvents(organization_id)}) select pg_notify('oxbow_pokes', '')`
