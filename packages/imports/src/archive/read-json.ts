import { ImportRefusal } from '../refusal.ts'
import type { ArchiveFile } from './archive.ts'

/** Why a part of a JSON file was left out. */
export type JsonProblem = 'not_a_list' | 'truncated_file' | 'bad_json' | 'too_deep' | 'too_long'

const maxElementBytes = 64 * 1_048_576
const maxDepth = 100
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

/**
 * Yields the elements of a JSON array while it is read, so that a file of any size takes the memory of one
 * element. What is not an array, or is broken, is passed to `onProblem` and left out.
 */
export async function* readJsonList(
  file: ArchiveFile,
  onProblem: (problem: JsonProblem) => void,
): AsyncGenerator<unknown> {
  const splitter = new ElementSplitter()
  for await (const chunk of file.read())
    for (const element of splitter.push(chunk)) {
      const value = parse(element)
      if (value.problem) onProblem(value.problem)
      else yield value.parsed
    }
  const problem = splitter.finish()
  if (problem) onProblem(problem)
}

/** Reads a small JSON file as a whole. Returns undefined if it is not JSON. */
export async function readJson(file: ArchiveFile): Promise<unknown> {
  if (file.size > maxElementBytes) return undefined
  const chunks: Buffer[] = []
  for await (const chunk of file.read()) chunks.push(chunk)
  return parse(Buffer.concat(chunks)).parsed
}

type Element = Buffer | JsonProblem

function parse(element: Element): { parsed?: unknown; problem?: JsonProblem } {
  if (typeof element === 'string') return { problem: element }
  try {
    return { parsed: JSON.parse(element.toString('utf8').replace(/^\ufeff/, '')) }
  } catch {
    return { problem: 'bad_json' }
  }
}

/** Finds the elements of the outermost array in bytes that arrive in pieces. */
class ElementSplitter {
  #depth = 0
  #isInString = false
  #isEscaped = false
  #state: 'start' | 'list' | 'end' | 'other' = 'start'
  /** The parts of the current element that earlier chunks contained. */
  #parts: Buffer[] = []
  #length = 0
  #problem: JsonProblem | undefined
  #isEmpty = true

  /** Returns the elements that end in this chunk. */
  push(chunk: Buffer): Element[] {
    const elements: Element[] = []
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (this.#state === 'list') {
        if (!this.#isEnd(byte)) continue
        elements.push(...this.#take(chunk.subarray(start, at)))
        start = at + 1
        if (byte === closeList) this.#state = 'end'
      } else if (this.#state === 'start' && !isSpace(byte) && ![0xef, 0xbb, 0xbf].includes(byte)) {
        this.#isEmpty = false
        this.#state = byte === openList ? 'list' : 'other'
        start = at + 1
      }
    }
    if (this.#state === 'list') this.#keep(chunk.subarray(start))
    return elements
  }

  finish(): JsonProblem | undefined {
    if (this.#state === 'list') return 'truncated_file'
    return this.#state === 'other' || this.#isEmpty ? 'not_a_list' : undefined
  }

  /** Follows one byte inside the array. Returns whether it ends an element. */
  #isEnd(byte: number): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === backslash) this.#isEscaped = true
      else if (byte === quote) this.#isInString = false
      return false
    }
    if (byte === quote) this.#isInString = true
    else if (byte === openObject || byte === openList) {
      if (++this.#depth > maxDepth) this.#problem ??= 'too_deep'
    } else if (byte === comma || byte === closeList || byte === closeObject) {
      if (this.#depth === 0) return byte !== closeObject
      if (byte !== comma) this.#depth--
    }
    return false
  }

  #keep(part: Buffer): void {
    if (this.#length + part.length > maxElementBytes) {
      this.#problem ??= 'too_long'
      this.#parts = []
    }
    if (this.#problem) return
    this.#length += part.length
    this.#parts.push(part)
  }

  #take(part: Buffer): Element[] {
    this.#keep(part)
    const taken: Element = this.#problem ?? (this.#parts.length === 1 ? part : Buffer.concat(this.#parts))
    this.#parts = []
    this.#length = 0
    this.#problem = undefined
    const isBlank = typeof taken !== 'string' && taken.every(isSpace)
    return isBlank ? [] : [taken]
  }
}

/** Throws unless the archive has the file. */
export function needFile(files: ReadonlyMap<string, ArchiveFile>, name: string, advice: string): ArchiveFile {
  const file = files.get(name)
  if (!file) throw new ImportRefusal(`The archive has no ${name}. ${advice}`)
  return file
}
