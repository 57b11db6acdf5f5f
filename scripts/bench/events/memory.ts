import { type Figure, print } from '../figures.ts'
import { type Contestant, startContestants } from './contestants.ts'

const fewPolls = 1_000
const manyPolls = 10_000

/** Measures the memory of a parked poll, from the difference between 1,000 and 10,000 polls. */
export async function benchMemory(): Promise<Figure[]> {
  await using contestants = await startContestants(manyPolls)
  const { ours, theirs } = contestants
  const [we, they] = [await bytesPerPoll(ours), await bytesPerPoll(theirs)]
  return [
    {
      label: `(d) memory of a parked poll, at ${manyPolls}`,
      measured: `${kilobytes(we.heap - they.heap)} beyond the bare server's ${kilobytes(they.heap)}; by RSS ${kilobytes(we.rss - they.rss)} beyond ${kilobytes(they.rss)}`,
      wanted: 'at most 3 KB beyond',
    },
  ]
}

async function bytesPerPoll(contestant: Contestant): Promise<{ heap: number; rss: number }> {
  await contestant.park(fewPolls)
  await contestant.deliver()
  await contestant.park(0)
  const before = await contestant.probe.memory()
  await contestant.park(manyPolls - fewPolls)
  const after = await contestant.probe.memory()
  const heap = (after.heap - before.heap) / (manyPolls - fewPolls)
  const rss = (after.rss - before.rss) / (manyPolls - fewPolls)
  print(`${contestant.name}: a parked poll takes ${kilobytes(heap)} of heap, ${kilobytes(rss)} of RSS`)
  return { heap, rss }
}

const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`
