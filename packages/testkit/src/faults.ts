import { eventually } from './eventually.ts'
import type { Fleet } from './fleet.ts'
import { request } from './http.ts'
import type { NatsServer } from './nats-server.ts'
import type { NodeProcess } from './node-process.ts'

/** Causes one fault in a fleet. When the promise resolves, the fault is over and every process runs again. */
export type Fault = (fleet: Fleet) => Promise<void>

const nodeAt = (fleet: Fleet, index: number) => fleet.nodes[index] as NodeProcess

/** Returns the index of the node that is not the sequencer. */
const otherNodeIndex = async (fleet: Fleet) => 1 - (await fleet.sequencerIndex())

async function kill(fleet: Fleet, index: number): Promise<void> {
  nodeAt(fleet, index).signal('SIGKILL')
  // Until it is replaced, the other node serves all clients.
  await fleet.waitForEvents()
  await fleet.replaceNode(index)
}

/** Suspends a node until all clients get events from the other node, and then resumes it. */
async function suspend(fleet: Fleet, index: number): Promise<void> {
  const node = nodeAt(fleet, index)
  node.signal('SIGSTOP')
  try {
    await fleet.waitForEvents()
  } finally {
    node.signal('SIGCONT')
  }
}

export const killNode: Fault = async (fleet) => kill(fleet, await otherNodeIndex(fleet))

export const killSequencer: Fault = async (fleet) => kill(fleet, await fleet.sequencerIndex())

export const suspendSequencer: Fault = async (fleet) => suspend(fleet, await fleet.sequencerIndex())

export const suspendNode: Fault = async (fleet) => suspend(fleet, await otherNodeIndex(fleet))

export const restartNats: Fault = async (fleet) => {
  const nats = natsOf(fleet)
  await nats.kill()
  await fleet.waitForEvents()
  await nats.start()
}

/** Makes NATS unreachable without closing connections, while events continue. */
export const cutNats: Fault = async (fleet) => {
  const { network } = natsOf(fleet)
  network.cut()
  await fleet.waitForEvents(40)
  network.heal()
}

/** Makes one node and then the other drop half of the hints that it receives. */
export const dropHints: Fault = async (fleet) => {
  for (const index of [0, 1]) {
    await fleet.replaceNode(index, { env: { FAULT_DROP_HINTS_PERCENT: '50' } })
    await fleet.waitForEvents(20)
    await fleet.replaceNode(index)
  }
}

export const restartPostgres: Fault = async (fleet) => postgresOf(fleet).restart()

/**
 * Fails over to a standby that lacks the newest commits. A quarter of the clients were paused
 * before those commits.
 */
export const failOver: Fault = async (fleet) => {
  const postgres = postgresOf(fleet)
  await postgres.addStandby()
  const paused = fleet.clients.filter((_, position) => position % 4 === 0)
  for (const client of paused) client.pause()
  const lacksFrom = await waitForStandby(fleet)
  postgres.stopReplication()
  await fleet.waitForEvents()
  await takeOver(fleet, lacksFrom)
  // A node that has not seen the jump of the log's numbers would deliver lost events, and would end
  // the queues of the paused clients.
  await Promise.all(fleet.nodes.map((node) => reachHead(fleet, node.url)))
  for (const client of paused) client.resume()
}

/**
 * Waits until the node has followed the log to its current head in PostgreSQL. Only then does it answer a poll
 * from there.
 */
async function reachHead({ query, organization_id, owner: credentials }: Fleet, url: string): Promise<void> {
  const [head] = await query<{ last_seq: number }>(
    `select last_seq from event_head where organization_id = ${organization_id}`,
  )
  if (!head) throw new Error('the organization has no row in event_head')
  const hasReached = async () => {
    const opened = await request(url, {
      method: 'POST',
      path: '/api/v1/register',
      credentials,
      form: { fetch_event_types: '[]' },
    })
    const polled = {
      queue_id: String(opened.body.queue_id),
      last_event_id: String(head.last_seq),
      dont_block: 'true',
    }
    return (await request(url, { path: '/api/v1/events', credentials, query: polled })).status === 200
  }
  await eventually(() => hasReached().catch(() => false))
}

/**
 * Kills the primary and the sequencer's node together, as if they shared a machine. The standby has
 * nearly all commits, maybe more than the other node has read.
 */
export const loseMachine: Fault = async (fleet) => {
  await postgresOf(fleet).addStandby()
  await fleet.waitForEvents()
  const index = await fleet.sequencerIndex()
  const lacksFrom = await waitForStandby(fleet)
  nodeAt(fleet, index).signal('SIGKILL')
  await takeOver(fleet, lacksFrom)
  await fleet.replaceNode(index)
}

/** Fails over with synchronous replication, so that no acknowledged commit is lost. */
export const failOverWithoutLoss: Fault = async (fleet) => {
  await postgresOf(fleet).addStandby()
  // Set only after the standby was copied, so that the standby does not wait for a standby itself.
  await fleet.query("alter system set synchronous_standby_names = '*'")
  await fleet.query('select pg_reload_conf()')
  const isSynchronous = "select from pg_stat_replication where sync_state = 'sync'"
  await eventually(async () => (await fleet.query(isSynchronous)).length > 0)
  await fleet.waitForEvents()
  await takeOver(fleet)
}

/**
 * Waits until the standby has caught up. Returns a time of `performance.now`; no commit before that
 * time will be lost.
 */
async function waitForStandby({ query }: Fleet): Promise<number> {
  const moment = performance.now()
  const [now] = await query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
  const reached = `select from pg_stat_replication where flush_lsn >= '${now?.lsn}'`
  await eventually(async () => (await query(reached)).length > 0)
  return moment
}

/**
 * Fails over. From the time `lacksFrom`, the standby may lack commits. Undefined means that it
 * lacks none.
 */
async function takeOver(fleet: Fleet, lacksFrom?: number): Promise<void> {
  const before = await countHoles(fleet)
  await postgresOf(fleet).failOver()
  if (lacksFrom !== undefined) fleet.noteLoss({ from: lacksFrom, to: performance.now() })
  // Until the log's numbers jump, nodes have events in memory that the database no longer has.
  await eventually(async () => (await countHoles(fleet).catch(() => before)) > before)
}

/** Pauses the polls of a quarter of the clients for a while. */
export const pauseClients: Fault = async (fleet) => {
  const paused = fleet.clients.filter((_, position) => position % 4 === 1)
  for (const client of paused) client.pause()
  await fleet.waitForEvents(30)
  for (const client of paused) client.resume()
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
