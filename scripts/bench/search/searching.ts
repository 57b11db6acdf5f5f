import type { NarrowTerm } from '@oxbow/contract'
import { startProbedNode } from '../events/bench-organization.ts'
import { type Figure, median, print, quantile } from '../figures.ts'
import type { Archive } from '../messages/archive/archive.ts'
import { createArchive } from '../messages/archive/create-archive.ts'
import { bound } from '../messages/bound.ts'
import { Connection } from '../messages/connection.ts'
import { inventWord, languages, planted } from './languages.ts'

const defaultRows = 5_000_000
const rounds = 120
const warmUpRounds = 5
/** Maximum time spent on one kind of search. */
const maxTotalMs = 20_000
const maxP99Ms = 300

/** Measures the duration of searches in an archive of mixed languages. */
export async function benchSearching({ rows = defaultRows }: { rows?: number }): Promise<Figure[]> {
  await using archive = await createArchive(rows, languages)
  await using node = await startProbedNode(archive)
  return [await measureSizes(archive), ...(await measure(archive, node.url))]
}

async function measure(archive: SearchableArchive, url: string): Promise<Figure[]> {
  using connection = new Connection(url, archive.reader)
  const figures: Figure[] = []
  for (const { label, ask } of listSearches(archive)) {
    const times: number[] = []
    let [spent, found] = [0, 0]
    for (let round = -warmUpRounds; round < rounds && spent < maxTotalMs; round++) {
      const { term, narrow } = ask(Math.abs(round))
      const start = performance.now()
      const answer = await connection.get('/messages', {
        anchor: 'newest',
        num_before: '100',
        num_after: '0',
        narrow: JSON.stringify([...narrow, { operator: 'search', operand: term, negated: false }]),
      })
      const took = performance.now() - start
      spent += took
      if (round < 0) continue
      times.push(took)
      found += (JSON.parse(String(answer)) as { messages: unknown[] }).messages.length
    }
    const p99 = quantile(times, 0.99)
    const measured = `median ${median(times).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms; ${(found / times.length).toFixed(1)} messages each, ${times.length} searches`
    print(`${label}: ${measured}`)
    figures.push({
      label,
      measured,
      wanted: bound(`p99 under ${maxP99Ms} ms`, p99 < maxP99Ms),
    })
  }
  return figures
}

interface Search {
  term: string
  narrow: NarrowTerm[]
}

const words: Record<string, (round: number) => string> = {
  'a rare word': (round) => inventWord(100_000 + round * 500),
  'a word in one of a thousand messages': (round) => inventWord(300 + round),
  'a word in one of a hundred messages': () => planted.occasional,
  'a word in one of ten messages': () => planted.common,
  'a word only in streams that the reader is not in': () => planted.hidden,
  'a word only in old messages': () => planted.bygone,
  'two words': () => `${planted.common} ${planted.occasional}`,
  'a Chinese word': (round) => ['数据库', '会议', '服务器', '周末'][round % 4] ?? '',
  'a common and a rare word': (round) => `${planted.common} ${inventWord(20_000 + round)}`,
}

type SearchableArchive = Pick<Archive, 'readStreams' | 'keylessUserIds' | 'reader'>

function listSearches(archive: SearchableArchive): { label: string; ask: (round: number) => Search }[] {
  const term = (operator: string, operand: NarrowTerm['operand']) => ({ operator, operand, negated: false })
  const { readStreams, keylessUserIds } = archive
  const streamOf = (round: number) => term('stream', readStreams[round % 40]?.id ?? 0)
  const narrows: Record<string, (round: number) => NarrowTerm[]> = {
    everywhere: () => [],
    'in a stream': (round) => [streamOf(round)],
    'in a topic': (round) => [streamOf(round), term('topic', `topic ${round % 50}`)],
    'by a sender': (round) => [term('sender', keylessUserIds[round * 7] ?? 0)],
  }
  return Object.entries(narrows).flatMap(([where, narrow]) =>
    Object.entries(words).map(([label, word]) => ({
      label: `${label}, ${where}`,
      ask: (round: number) => ({ term: word(round), narrow: narrow(round) }),
    })),
  )
}

async function measureSizes({ session, rows }: Archive): Promise<Figure> {
  const { rows: found } = await session.query<{ index: number; table: number; others: number }>(
    `select pg_relation_size('message_search')::float8 as index, pg_table_size('message')::float8 as table,
       (pg_indexes_size('message') - pg_relation_size('message_search'))::float8 as others`,
  )
  const size = (bytes = 0) => `${(bytes / 1e6).toFixed(0)} MB`
  const { index = 0, table = 0, others = 0 } = found[0] ?? {}
  return {
    label: `size of the index of ${rows.toLocaleString('en')} messages`,
    measured: `${size(index)}, ${(index / rows).toFixed(0)} bytes per message; the table has ${size(table)}, its other indexes ${size(others)}`,
  }
}
