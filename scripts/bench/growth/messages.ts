import { median, print } from '../figures.ts'
import { createArchive } from '../messages/archive/create-archive.ts'
import { kindsOfPages } from '../messages/reading/kinds-of-pages.ts'
import { openPageReader, type Reading } from '../messages/reading/page-reader.ts'
import { record } from '../results.ts'

const counts = [1_000_000, 5_000_000, 20_000_000]
const rounds = 20
/** Number of rounds that are not measured, in which PostgreSQL chooses its plans. */
const warmUpRounds = 8

/** Measures pages of 100 messages in archives of increasing size. */
export async function growMessages(maxRows = Math.max(...counts)): Promise<void> {
  for (const count of counts.filter((rows) => rows <= maxRows)) {
    await using archive = await createArchive(count)
    await using pageReader = await openPageReader(archive)
    for (const kind of kindsOfPages(archive).filter(({ isExtra }) => !isExtra)) {
      const readings: Reading[] = []
      for (let round = 0; round < warmUpRounds + rounds; round++) readings.push(await pageReader.read(kind))
      const value = median(readings.slice(warmUpRounds).map(({ request }) => request))
      print(`${count.toLocaleString('en')} messages, ${kind.label}: ${value.toFixed(1)} ms`)
      record({ bench: 'pages', name: kind.label, count, value, unit: 'ms', better: 'less' })
    }
  }
}
