import { setTimeout } from 'node:timers/promises'
import { say } from '../figures.ts'
import { Crowd } from './crowd.ts'
import { plantGarden, registerQueues, startProbedNode, waitForPolls } from './garden.ts'

const polls = 10_000

/** Ten thousand polls on one node while nothing happens: each is answered by a heartbeat after 45 to 56 seconds. */
export async function benchHeartbeats({ seconds = 60 }: { seconds?: number } = {}): Promise<void> {
  await using garden = await plantGarden()
  await using node = await startProbedNode(garden)
  const queues = await registerQueues(node.url, garden, polls)
  using crowd = new Crowd(node.port)
  await crowd.open(queues)
  await waitForPolls(node, polls)
  // From now on the node has the queues in memory, as it has after the first minute of its life.
  const answered = crowd.round()
  await garden.emit()
  await answered
  await crowd.waits()
  await setTimeout(seconds * 1000)
  const waits = await crowd.waits()
  say(
    `heartbeats: ${waits.polls} of ${polls} polls were answered in ${seconds} s, with ${waits.heartbeats} heartbeats after ${(waits.shortest / 1000).toFixed(2)} to ${(waits.longest / 1000).toFixed(2)} s (all, after 45 to 56 s, are wanted)`,
  )
}
