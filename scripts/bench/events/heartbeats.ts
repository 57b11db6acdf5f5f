import { setTimeout } from 'node:timers/promises'
import { print } from '../figures.ts'
import {
  createBenchOrganization,
  registerQueues,
  startProbedNode,
  waitForPolls,
} from './bench-organization.ts'
import { PollingClients } from './polling-clients.ts'

const polls = 10_000

/** Checks that each of 10,000 idle polls on one node gets a heartbeat after 45 to 56 seconds. */
export async function benchHeartbeats({ seconds = 60 }: { seconds?: number } = {}): Promise<void> {
  await using organization = await createBenchOrganization()
  await using node = await startProbedNode(organization)
  const queues = await registerQueues(node.url, organization, polls)
  using clients = new PollingClients(node.port)
  await clients.open(queues)
  await waitForPolls(node, polls)
  // One event makes the node load all queues into memory, as they are after its first minute.
  const answered = clients.round()
  await organization.emit()
  await answered
  await clients.waits()
  await setTimeout(seconds * 1000)
  const waits = await clients.waits()
  print(
    `heartbeats: ${waits.polls} of ${polls} polls were answered in ${seconds} s, with ${waits.heartbeats} heartbeats after ${(waits.shortest / 1000).toFixed(2)} to ${(waits.longest / 1000).toFixed(2)} s (all, after 45 to 56 s, are wanted)`,
  )
}
