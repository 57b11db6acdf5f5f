import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * A message of the relevance set. The set consists of typical messages of teams, and of queries with
 * the results that users expect.
 */
export interface RelevantMessage {
  language: string
  topic: string
  content: string
}

export interface RelevantQuery {
  language: string
  query: string
  kind: 'word' | 'stem' | 'several words' | 'phrase' | 'substring' | 'part' | 'nothing'
  /**
   * Patterns that a message must contain in its topic or source to be an expected result. All of
   * them must match.
   */
  finds: string | string[]
  why: string
}

const folder = import.meta.dirname

export function readMessages(): RelevantMessage[] {
  const files = readdirSync(join(folder, 'messages')).sort()
  return files.flatMap((file) =>
    readFileSync(join(folder, 'messages', file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [topic = '', content = ''] = line.split('\t')
        return { language: basename(file, '.txt'), topic, content }
      }),
  )
}

export function readQueries(): RelevantQuery[] {
  return JSON.parse(readFileSync(join(folder, 'queries.json'), 'utf8')) as RelevantQuery[]
}

/**
 * Returns a function that says whether a message is an expected result. It uses only the patterns of
 * the query, and none of the search code.
 */
function buildExpectation({ finds }: RelevantQuery): (message: RelevantMessage) => boolean {
  const patterns = [finds].flat().map((source) => new RegExp(source, 'iu'))
  return ({ topic, content }) => patterns.every((pattern) => pattern.test(topic) || pattern.test(content))
}

export interface Score {
  expected: number
  found: number
  /** Number of messages that were both found and expected. */
  right: number
}

export const precision = ({ found, right }: Score): number => (found === 0 ? 1 : right / found)
export const recall = ({ expected, right }: Score): number => (expected === 0 ? 1 : right / expected)

export interface QueryScore extends Score {
  query: RelevantQuery
  missing: RelevantMessage[]
  unexpected: RelevantMessage[]
}

/** Scores all queries. `search` returns the indexes of the messages that it finds. */
export async function scoreQueries(
  messages: readonly RelevantMessage[],
  queries: readonly RelevantQuery[],
  search: (query: string) => Promise<readonly number[]>,
): Promise<QueryScore[]> {
  const queryScores: QueryScore[] = []
  for (const query of queries) {
    const found = new Set(await search(query.query))
    const expected = messages.map(buildExpectation(query))
    const which = (test: (index: number) => boolean) => messages.filter((_, index) => test(index))
    const missing = which((index) => expected[index] === true && !found.has(index))
    const unexpected = which((index) => expected[index] === false && found.has(index))
    const count = expected.filter(Boolean).length
    queryScores.push({
      query,
      missing,
      unexpected,
      expected: count,
      found: found.size,
      right: count - missing.length,
    })
  }
  return queryScores
}

export function total(scores: readonly Score[]): Score {
  const sum = (field: keyof Score) => scores.reduce((all, score) => all + score[field], 0)
  return { expected: sum('expected'), found: sum('found'), right: sum('right') }
}
