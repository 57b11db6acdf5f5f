import type { Account } from './account.ts'
import { eventually } from './eventually.ts'
import type { Fleet } from './fleet.ts'
import { request } from './http.ts'
import type { NatsServer } from './nats-server.ts'
import type { NodeProcess } from './node-process.ts'

/** What happens to a fleet. It is over when the promise is kept: what died is back. */
export type Fault = (fleet: Fleet) => Promise<void>

const nodeAt = (fleet: Fleet, place: number) => fleet.nodes[place] as NodeProcess

/** Whatever node does not number the events. */
const otherPlace = async (fleet: Fleet) => 1 - (await fleet.sequencerPlace())

async function kill(fleet: Fleet, place: number): Promise<void> {
  nodeAt(fleet, place).signal('SIGKILL')
  // The other node serves every client for a while.
  await fleet.flow()
  await fleet.replaceNode(place)
}

/** Stops a process until every client gets its events from the other node, and lets it go on. */
async function pause(fleet: Fleet, place: number): Promise<void> {
  const node = nodeAt(fleet, place)
  node.signal('SIGSTOP')
  try {
    await fleet.flow()
  } finally {
    node.signal('SIGCONT')
  }
}

export const killNode: Fault = async (fleet) => kill(fleet, await otherPlace(fleet))

export const killSequencer: Fault = async (fleet) => kill(fleet, await fleet.sequencerPlace())

export const stopSequencer: Fault = async (fleet) => pause(fleet, await fleet.sequencerPlace())

export const stopNode: Fault = async (fleet) => pause(fleet, await otherPlace(fleet))

export const restartNats: Fault = async (fleet) => {
  const nats = natsOf(fleet)
  await nats.kill()
  await fleet.flow()
  await nats.start()
}

/** NATS neither answers nor closes its connections while events go on. */
export const cutNats: Fault = async (fleet) => {
  const { network } = natsOf(fleet)
  network.cut()
  await fleet.flow(40)
  network.heal()
}

/** One node, and then the other, hear only half of what they are told. */
export const dropHints: Fault = async (fleet) => {
  for (const place of [0, 1]) {
    await fleet.replaceNode(place, { FAULT_DROP_HINTS_PERCENT: '50' })
    await fleet.flow(20)
    await fleet.replaceNode(place)
  }
}

export const restartPostgres: Fault = async (fleet) => postgresOf(fleet).restart()

/** The standby lacks the last changes. Clients that stand still do so from before them. */
export const failOver: Fault = async (fleet) => {
  const postgres = postgresOf(fleet)
  await postgres.addStandby()
  const still = fleet.clients.filter((_, index) => index % 4 === 0)
  for (const client of still) client.hold()
  const lacksFrom = await standbyHasAll(fleet)
  postgres.stopReplication()
  await fleet.flow()
  await takeOver(fleet, lacksFrom)
  // A node that has not heard of the jump would still hand out what was lost, and the cursor would die with it.
  await Promise.all(fleet.nodes.map((node) => reachHead(node.url, fleet.owner)))
  for (const client of still) client.release()
}

/** Waits until the node has followed the log to its head: a poll from there is answered only then. */
async function reachHead(url: string, credentials: Account): Promise<void> {
  const hasReached = async () => {
    const opened = await request(url, {
      method: 'POST',
      path: '/api/v1/register',
      credentials,
      form: { fetch_event_types: '[]' },
    })
    const { queue_id, last_event_id } = opened.body
    const query = {
      queue_id: String(queue_id),
      last_event_id: String(last_event_id),
      dont_block: 'true',
    }
    return (await request(url, { path: '/api/v1/events', credentials, query })).status === 200
  }
  await eventually(() => hasReached().catch(() => false), 30_000)
}

/**
 * The machine with the primary and the node that numbers events is gone. The standby has nearly everything, maybe more
 * than the other node has read.
 */
export const loseMachine: Fault = async (fleet) => {
  await postgresOf(fleet).addStandby()
  await fleet.flow()
  const place = await fleet.sequencerPlace()
  const lacksFrom = await standbyHasAll(fleet)
  nodeAt(fleet, place).signal('SIGKILL')
  await takeOver(fleet, lacksFrom)
  await fleet.replaceNode(place)
}

/** Whatever is acknowledged is on two machines. One of them is gone. */
export const failOverWhole: Fault = async (fleet) => {
  await postgresOf(fleet).addStandby()
  // Not before the standby was copied: it has none of its own.
  await fleet.query("alter system set synchronous_standby_names = '*'")
  await fleet.query('select pg_reload_conf()')
  const isSynchronous = "select from pg_stat_replication where sync_state = 'sync'"
  await eventually(async () => (await fleet.query(isSynchronous)).length > 0)
  await fleet.flow()
  await takeOver(fleet)
}

/** Returns a moment, as of `performance.now`: what was committed before it will not be lost. */
async function standbyHasAll({ query }: Fleet): Promise<number> {
  const moment = performance.now()
  const [now] = await query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
  const reached = `select from pg_stat_replication where flush_lsn >= '${now?.lsn}'`
  await eventually(async () => (await query(reached)).length > 0)
  return moment
}

/** The standby may lack what was committed from a moment on. */
async function takeOver(fleet: Fleet, lacksFrom?: number): Promise<void> {
  const before = await countHoles(fleet)
  await postgresOf(fleet).failOver()
  if (lacksFrom !== undefined) fleet.noteLoss({ from: lacksFrom, to: performance.now() })
  // Until the numbers jump, nodes have in memory what the database no longer has.
  await eventually(async () => (await countHoles(fleet).catch(() => before)) > before)
}

/** Some clients do not poll for a while. */
export const standStill: Fault = async (fleet) => {
  const still = fleet.clients.filter((_, index) => index % 4 === 1)
  for (const client of still) client.hold()
  await fleet.flow(30)
  for (const client of still) client.release()
}

async function countHoles({ query }: Fleet): Promise<number> {
  return (await query('select from event_batch where records is null')).length
}

function natsOf({ nats }: Fleet): NatsServer {
  if (!nats) throw new Error('this fleet has no NATS')
  return nats
}

function postgresOf({ postgres }: Fleet) {
  if (!postgres) throw new Error('this fleet has no PostgreSQL of its own')
  return postgres
}
