import { type Figure, say } from '../figures.ts'
import { type Contestant, startContestants } from './contestants.ts'

const few = 1_000
const many = 10_000

/** What a parked poll takes: from a thousand to ten thousand, so that what a server takes anyway is left out. */
export async function benchMemory(): Promise<Figure[]> {
  await using contestants = await startContestants(many)
  const { ours, theirs } = contestants
  const [we, they] = [await bytesPerPoll(ours), await bytesPerPoll(theirs)]
  return [
    {
      what: `(d) memory of a parked poll, at ${many}`,
      measured: `${kilobytes(we.heap - they.heap)} beyond the bare server's ${kilobytes(they.heap)}; by RSS ${kilobytes(we.rss - they.rss)} beyond ${kilobytes(they.rss)}`,
      wanted: 'at most 3 KB beyond',
    },
  ]
}

async function bytesPerPoll(contestant: Contestant): Promise<{ heap: number; rss: number }> {
  await contestant.park(few)
  await contestant.round()
  await contestant.park(0)
  const before = await contestant.probe.memory()
  await contestant.park(many - few)
  const after = await contestant.probe.memory()
  const heap = (after.heap - before.heap) / (many - few)
  const rss = (after.rss - before.rss) / (many - few)
  say(`${contestant.name}: a parked poll takes ${kilobytes(heap)} of heap, ${kilobytes(rss)} of RSS`)
  return { heap, rss }
}

const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`
