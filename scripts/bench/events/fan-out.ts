import { type Figure, median, print } from '../figures.ts'
import { record } from '../results.ts'
import { type Contestant, startContestants } from './contestants.ts'

const polls = 2_000
const turns = 12
const eventsPerTurn = 6

interface Measurement {
  /** Deliveries per second. */
  rate: number
  /** Processor time of the server for 1,000 deliveries with their polls, in milliseconds. */
  cost: number
}

/** Measures deliveries per second to parked polls. Our node and the bare server are measured in turn. */
export async function benchFanOut({ profile }: { profile: boolean }): Promise<Figure[]> {
  await using contestants = await startContestants(polls)
  const { ours, theirs } = contestants
  for (const contestant of [ours, theirs]) {
    await contestant.park(polls)
    await measureOnce(contestant)
  }
  const results: { we: Measurement; they: Measurement }[] = []
  for (let turn = 1; turn <= turns; turn++) {
    const [we, they] = [await measureOnce(ours), await measureOnce(theirs)]
    results.push({ we, they })
    print(`turn ${turn}: ${show(ours, we)}; ${show(theirs, they)}; ratio ${(we.rate / they.rate).toFixed(2)}`)
  }
  if (profile) await showProfile(ours)
  const rate = median(results.map(({ we }) => we.rate))
  const ratio = median(results.map(({ we, they }) => we.rate / they.rate))
  const costs = median(results.map(({ we, they }) => they.cost / we.cost))
  const common = { bench: 'events', better: 'more' } as const
  record({ ...common, name: 'deliveries', value: ratio, unit: 'of bare node:http' })
  record({ ...common, name: 'deliveries by processor time', value: costs, unit: 'of bare node:http' })
  return [
    {
      label: `(b) deliveries to ${polls} polls`,
      measured: `${Math.round(rate)}/s, ${ratio.toFixed(2)} of bare node:http; by processor time ${costs.toFixed(2)}`,
      wanted: 'at least 0.5',
    },
  ]
}

async function measureOnce(contestant: Contestant): Promise<Measurement> {
  const [start, cpu] = [performance.now(), await contestant.probe.cpu()]
  for (let round = 0; round < eventsPerTurn; round++) await contestant.deliver()
  const deliveries = polls * eventsPerTurn
  const rate = deliveries / ((performance.now() - start) / 1000)
  return { rate, cost: (((await contestant.probe.cpu()) - cpu) / deliveries) * 1000 }
}

const show = ({ name }: Contestant, { rate, cost }: Measurement) =>
  `${name} ${Math.round(rate)} deliveries/s (${cost.toFixed(0)} ms of processor for 1,000)`

async function showProfile(contestant: Contestant): Promise<void> {
  await contestant.probe.startProfile()
  await measureOnce(contestant)
  const lines = await contestant.probe.stopProfile()
  print(`${contestant.name} while it delivers:\n${lines.join('\n')}`)
}
