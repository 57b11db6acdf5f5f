import { type Contestant, startContestants } from '../events/contestants.ts'
import { median, print } from '../figures.ts'
import { record } from '../results.ts'

const counts = [1_000, 2_000, 5_000, 10_000]
const rounds = 5
const eventsPerRound = 3
/** Number of events that are not measured, in which both servers compile code. */
const warmUpEvents = 10

/** Measures the processor time of a delivery to more and more parked polls, compared with bare node:http. */
export async function growPolls(): Promise<void> {
  await using contestants = await startContestants(Math.max(...counts))
  const { ours, theirs } = contestants
  let parkedPolls = 0
  for (const count of counts) {
    for (const contestant of [ours, theirs]) {
      await contestant.park(count - parkedPolls)
      for (let event = 0; event < warmUpEvents; event++) await contestant.deliver()
    }
    parkedPolls = count
    const costs = { we: [] as number[], they: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      costs.we.push(await costOfDelivery(ours, count))
      costs.they.push(await costOfDelivery(theirs, count))
    }
    const [we, they] = [median(costs.we), median(costs.they)]
    print(
      `${count} polls: ${we.toFixed(0)} µs of processor for a delivery, bare node:http ${they.toFixed(0)} µs`,
    )
    const common = { bench: 'polls', count, unit: 'µs', better: 'less' } as const
    record({ ...common, name: 'Oxbow', value: we })
    record({ ...common, name: 'bare node:http', value: they })
  }
}

/** Returns the processor time of a response to a poll and of the next poll, in microseconds. */
async function costOfDelivery({ probe, deliver }: Contestant, polls: number): Promise<number> {
  const before = await probe.cpu()
  for (let event = 0; event < eventsPerRound; event++) await deliver()
  return (((await probe.cpu()) - before) / (polls * eventsPerRound)) * 1_000
}
