import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'

/** Records in memory before a run is written to disk, and their size. */
const maxRunRecords = 50_000
const maxRunCharacters = 32 * 1_048_576
/** Files that are merged at a time. */
const maxOpenRuns = 64
const newline = 0x0a

interface Line {
  key: string
  json: string
}

/**
 * Sorts any number of records on disk. Keys are unique, are compared by UTF-16 unit, and contain neither tabs
 * nor line breaks. Memory does not grow with the number of records.
 */
export class MergeSort<Record> {
  readonly #folder: string
  #lines: Line[] = []
  #characters = 0
  #runs: string[] = []
  #written = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Begins with an empty folder. */
  async begin(): Promise<this> {
    await rm(this.#folder, { recursive: true, force: true })
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    return this
  }

  /** Continues with the runs that an earlier process completed. */
  async reopen(): Promise<this> {
    this.#runs = (await readdir(this.#folder)).sort().map((name) => join(this.#folder, name))
    return this
  }

  async add(key: string, record: Record): Promise<void> {
    const json = JSON.stringify(record)
    this.#lines.push({ key, json })
    this.#characters += key.length + json.length
    if (this.#lines.length >= maxRunRecords || this.#characters >= maxRunCharacters) await this.#writeRun()
  }

  /** Writes the last run, and merges runs until they can be read together. */
  async finish(): Promise<void> {
    await this.#writeRun()
    while (this.#runs.length > maxOpenRuns) {
      const merged = this.#runs.splice(0, maxOpenRuns)
      const target = this.#nextPath()
      await writeLines(target, mergeRuns(merged))
      for (const run of merged) await rm(run)
      this.#runs.push(target)
    }
  }

  /** Yields the records in the order of their keys. */
  async *read(): AsyncGenerator<{ key: string; record: Record }> {
    for await (const { key, json } of mergeRuns(this.#runs)) yield { key, record: JSON.parse(json) }
  }

  async #writeRun(): Promise<void> {
    if (this.#lines.length === 0) return
    const lines = this.#lines
    ;[this.#lines, this.#characters] = [[], 0]
    lines.sort(compare)
    const path = this.#nextPath()
    await writeLines(path, lines)
    this.#runs.push(path)
  }

  #nextPath = (): string => join(this.#folder, String(this.#written++).padStart(8, '0'))
}

const compare = (a: Line, b: Line): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)

async function writeLines(path: string, lines: Iterable<Line> | AsyncIterable<Line>): Promise<void> {
  const stream = createWriteStream(path, { mode: 0o600, highWaterMark: 1_048_576 })
  for await (const { key, json } of lines) if (!stream.write(`${key}\t${json}\n`)) await once(stream, 'drain')
  stream.end()
  await finished(stream)
}

/** Reads the lines of a text file that ends with a line break. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: 262_144 }) as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let start = 0
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      yield bytes.toString('utf8', start, end)
      start = end + 1
    }
    rest = bytes.subarray(start)
  }
}

async function* readRun(path: string): AsyncGenerator<Line> {
  for await (const line of readLines(path)) {
    const tab = line.indexOf('\t')
    yield { key: line.slice(0, tab), json: line.slice(tab + 1) }
  }
}

interface Head {
  line: Line
  rest: AsyncGenerator<Line>
}

/** Merges sorted runs with a heap of their first lines. */
async function* mergeRuns(runs: readonly string[]): AsyncGenerator<Line> {
  const heap: Head[] = []
  for (const run of runs) {
    const rest = readRun(run)
    const first = await rest.next()
    if (!first.done) heap.push({ line: first.value, rest })
  }
  heap.sort(compareHeads)
  while (heap[0]) {
    const [head] = heap
    yield head.line
    const next = await head.rest.next()
    if (next.done) {
      const last = heap.pop() as Head
      if (last === head) continue
      heap[0] = last
    } else head.line = next.value
    sink(heap)
  }
}

const compareHeads = (a: Head, b: Head): number => compare(a.line, b.line)

/** Moves the first head down to its place. */
function sink(heap: Head[]): void {
  let at = 0
  for (;;) {
    let least = at
    for (const child of [2 * at + 1, 2 * at + 2]) {
      const [a, b] = [heap[child], heap[least]]
      if (a && b && compareHeads(a, b) < 0) least = child
    }
    if (least === at) return
    ;[heap[at], heap[least]] = [heap[least] as Head, heap[at] as Head]
    at = least
  }
}
