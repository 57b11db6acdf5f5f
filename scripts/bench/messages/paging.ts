import { startProbedNode } from '../events/bench-organization.ts'
import { type Figure, median, quantile } from '../figures.ts'
import type { Archive } from './archive/archive.ts'
import type { SharedArchives } from './archive/shared-archives.ts'
import { bound } from './bound.ts'
import { Connection } from './connection.ts'

const rounds = 200
const warmUpRounds = 20
const maxConversationsMs = 50
const maxDateMs = 100

type Ask = (connection: Connection, archive: Archive) => Promise<unknown>

const conversations: Record<string, Ask> = {
  'the newest 100 conversations': (connection) => connection.get('/users/me/conversations', { limit: '100' }),
  'the next 100 conversations, for twenty pages': async (connection) => {
    const { before, number } = nextPage
    const text = await connection.get('/users/me/conversations', { limit: '100', ...(before && { before }) })
    const { next_before } = JSON.parse(text) as { next_before?: number }
    const isLast = next_before === undefined || number === pages
    nextPage = isLast ? { number: 1 } : { number: number + 1, before: String(next_before) }
  },
}

const pages = 20
let nextPage: { number: number; before?: string } = { number: 1 }

const dates: Record<string, Ask> = {
  'a random date in all messages': (connection, archive) => askForDate(connection, archive, []),
  'a random date in a stream': (connection, archive) =>
    askForDate(connection, archive, [{ operator: 'stream', operand: archive.streams[4]?.id }]),
  'a random date in a topic': (connection, archive) =>
    askForDate(connection, archive, [
      { operator: 'stream', operand: archive.streams[4]?.id },
      { operator: 'topic', operand: 'topic 7' },
    ]),
}

/** Measures pages of conversations over HTTP. */
export const benchConversations = (archives: SharedArchives): Promise<Figure[]> =>
  measure(archives, 'g', conversations, maxConversationsMs)

/** Measures pages of messages around a date over HTTP. */
export const benchDates = (archives: SharedArchives): Promise<Figure[]> =>
  measure(archives, 'h', dates, maxDateMs)

async function measure(
  archives: SharedArchives,
  letter: string,
  kinds: Record<string, Ask>,
  maxMs: number,
): Promise<Figure[]> {
  const archive = await archives.large()
  await using node = await startProbedNode(archive)
  using connection = new Connection(node.url, archive.reader)
  const times = new Map(Object.keys(kinds).map((label) => [label, [] as number[]]))
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    for (const [label, ask] of Object.entries(kinds)) {
      const start = performance.now()
      await ask(connection, archive)
      if (round >= warmUpRounds) times.get(label)?.push(performance.now() - start)
    }
  }
  return [...times].map(([label, measured]) => {
    const p95 = quantile(measured, 0.95)
    return {
      label: `(${letter}) ${label}`,
      measured: `median ${median(measured).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
      wanted: bound(`p95 at most ${maxMs} ms`, p95 <= maxMs),
    }
  })
}

async function askForDate(
  connection: Connection,
  { session, organization_id, floor, rows }: Archive,
  narrow: object[],
): Promise<unknown> {
  const { rows: found } = await session.query<{ sent_at: Date }>(
    'select sent_at from message where organization_id = $1 and id >= $2 order by id limit 1',
    [organization_id, floor + Math.ceil(rows * Math.random())],
  )
  return connection.get('/messages', {
    anchor: 'date',
    anchor_date: (found[0]?.sent_at ?? new Date()).toISOString(),
    num_before: '50',
    num_after: '50',
    narrow: JSON.stringify(narrow),
  })
}
