import type { NarrowTerm } from '@oxbow/contract'
import { startProbedNode } from '../events/garden.ts'
import { type Figure, median, quantile, say } from '../figures.ts'
import { type Archive, isReaders, plantArchive } from '../messages/archive/archive.ts'
import { bound } from '../messages/bound.ts'
import { Connection } from '../messages/connection.ts'
import { languages, madeUp, planted } from './languages.ts'

const usualRows = 5_000_000
const rounds = 120
const firstRounds = 5
/** Nobody waits longer for one kind of search. */
const patience = 20_000
const mostMilliseconds = 300

/** How long people wait for what they look for, in an archive of mixed languages. */
export async function benchSearching({ rows = usualRows }: { rows?: number }): Promise<Figure[]> {
  await using archive = await plantArchive(rows, languages)
  await using node = await startProbedNode(archive)
  return [await sizes(archive), ...(await measure(archive, node.url))]
}

export async function measure(archive: Searched, url: string): Promise<Figure[]> {
  using connection = new Connection(url, archive.reader)
  const figures: Figure[] = []
  for (const { what, ask } of searches(archive)) {
    const times: number[] = []
    let [spent, found] = [0, 0]
    for (let round = -firstRounds; round < rounds && spent < patience; round++) {
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
    say(`${what}: ${measured}`)
    figures.push({
      what,
      measured,
      wanted: bound(`p99 under ${mostMilliseconds} ms`, p99 < mostMilliseconds),
    })
  }
  return figures
}

interface Asked {
  term: string
  narrow: NarrowTerm[]
}

const words: Record<string, (round: number) => string> = {
  'a rare word': (round) => madeUp(100_000 + round * 500),
  'a word of one in a thousand': (round) => madeUp(300 + round),
  'a word of one in a hundred': () => planted.occasional,
  'a word of one in ten': () => planted.common,
  'a word that is only where the reader is not': () => planted.hidden,
  'a word of long ago': () => planted.bygone,
  'two words': () => `${planted.common} ${planted.occasional}`,
  'a Chinese word': (round) => ['数据库', '会议', '服务器', '周末'][round % 4] ?? '',
  'a common and a rare word': (round) => `${planted.common} ${madeUp(20_000 + round)}`,
}

type Searched = Pick<Archive, 'beds' | 'villagers' | 'reader'>

function searches(archive: Searched): { what: string; ask: (round: number) => Asked }[] {
  const term = (operator: string, operand: NarrowTerm['operand']) => ({ operator, operand, negated: false })
  const { beds, villagers } = archive
  const own = beds.filter((_, rank) => isReaders(rank))
  const streamOf = (round: number) => term('stream', own[round % 40]?.id ?? 0)
  const narrows: Record<string, (round: number) => NarrowTerm[]> = {
    everywhere: () => [],
    'in a stream': (round) => [streamOf(round)],
    'in a topic': (round) => [streamOf(round), term('topic', `topic ${round % 50}`)],
    'by a sender': (round) => [term('sender', villagers[round * 7] ?? 0)],
  }
  return Object.entries(narrows).flatMap(([where, narrow]) =>
    Object.entries(words).map(([what, word]) => ({
      what: `${what}, ${where}`,
      ask: (round: number) => ({ term: word(round), narrow: narrow(round) }),
    })),
  )
}

async function sizes({ session, rows }: Archive): Promise<Figure> {
  const { rows: found } = await session.query<{ index: number; table: number; others: number }>(
    `select pg_relation_size('message_search')::float8 as index, pg_table_size('message')::float8 as table,
       (pg_indexes_size('message') - pg_relation_size('message_search'))::float8 as others`,
  )
  const size = (bytes = 0) => `${(bytes / 1e6).toFixed(0)} MB`
  const { index = 0, table = 0, others = 0 } = found[0] ?? {}
  return {
    what: `the index of ${rows.toLocaleString('en')} messages`,
    measured: `${size(index)}, ${(index / rows).toFixed(0)} bytes for each; the table ${size(table)}, its other indexes ${size(others)}`,
  }
}
