import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** One measured number. Results of two runs with the same bench, name and count are compared. */
export interface Result {
  bench: string
  name: string
  /** Size at which a result of a growth curve was measured, like the number of stored messages. */
  count?: number
  value: number
  unit: string
  better: 'less' | 'more'
}

/** Contents of a file that `npm run bench -- … --json FILE` writes. */
export interface ResultFile {
  /** Day of the run, like 2026-11-17. */
  date: string
  machine: string
  results: Result[]
}

const recorded: Result[] = []

/** Adds a result to those that are written at the end. */
export function record(result: Result): void {
  recorded.push(result)
}

/** Writes all recorded results to a file. Results of other benchmarks that the file has already are kept. */
export function writeResults(path: string, results: readonly Result[] = recorded): void {
  const replaced = new Set(results.map(keyOf))
  const kept = readIfPresent(path)?.results.filter((result) => !replaced.has(keyOf(result))) ?? []
  const file: ResultFile = {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    results: [...kept, ...results],
  }
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`)
}

export function readResults(path: string): ResultFile {
  return JSON.parse(readFileSync(path, 'utf8')) as ResultFile
}

/** Returns a text that is equal for results that can be compared. */
export const keyOf = ({ bench, name, count }: Result): string =>
  `${bench}: ${name}${count === undefined ? '' : `, at ${count.toLocaleString('en')}`}`

function readIfPresent(path: string): ResultFile | undefined {
  try {
    return readResults(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function describeMachine(): string {
  const processors = cpus()
  return `${processors.length} processors (${processors[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`
}
