import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Messages as teams write them, and what people who look for something expect to find among them. */
export interface RelevantMessage {
  language: string
  topic: string
  content: string
}

export interface RelevantQuery {
  language: string
  query: string
  kind: 'word' | 'stem' | 'several words' | 'phrase' | 'substring' | 'part' | 'nothing'
  /** What a message must have, in its topic or as it was written; several where all must be there. */
  finds: string | string[]
  why: string
}

const here = import.meta.dirname

export function readMessages(): RelevantMessage[] {
  const files = readdirSync(join(here, 'messages')).sort()
  return files.flatMap((file) =>
    readFileSync(join(here, 'messages', file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [topic = '', content = ''] = line.split('\t')
        return { language: basename(file, '.txt'), topic, content }
      }),
  )
}

export function readQueries(): RelevantQuery[] {
  return JSON.parse(readFileSync(join(here, 'queries.json'), 'utf8')) as RelevantQuery[]
}

/** By the words of the set alone: nothing of ours has a say in it. */
export function whatIsExpected({ finds }: RelevantQuery): (message: RelevantMessage) => boolean {
  const patterns = [finds].flat().map((source) => new RegExp(source, 'iu'))
  return ({ topic, content }) => patterns.every((pattern) => pattern.test(topic) || pattern.test(content))
}

export interface Score {
  expected: number
  found: number
  /** Found, and expected. */
  right: number
}

export const precision = ({ found, right }: Score): number => (found === 0 ? 1 : right / found)
export const recall = ({ expected, right }: Score): number => (expected === 0 ? 1 : right / expected)

export interface Judged extends Score {
  query: RelevantQuery
  missing: RelevantMessage[]
  unexpected: RelevantMessage[]
}

/** `search` says which of the messages, by their place in the list, it finds. */
export async function judge(
  messages: readonly RelevantMessage[],
  queries: readonly RelevantQuery[],
  search: (query: string) => Promise<readonly number[]>,
): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const query of queries) {
    const found = new Set(await search(query.query))
    const expected = messages.map(whatIsExpected(query))
    const which = (test: (index: number) => boolean) => messages.filter((_, index) => test(index))
    const missing = which((index) => expected[index] === true && !found.has(index))
    const unexpected = which((index) => expected[index] === false && found.has(index))
    const count = expected.filter(Boolean).length
    judged.push({
      query,
      missing,
      unexpected,
      expected: count,
      found: found.size,
      right: count - missing.length,
    })
  }
  return judged
}

export function total(scores: readonly Score[]): Score {
  const sum = (of: keyof Score) => scores.reduce((all, score) => all + score[of], 0)
  return { expected: sum('expected'), found: sum('found'), right: sum('right') }
}
