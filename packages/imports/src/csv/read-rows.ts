import type { ArchiveFile } from '../archive/archive.ts'
import { ImportRefusal } from '../refusal.ts'
import type { Tally } from '../report/tally.ts'
import { storable } from '../values.ts'

export type Row = Readonly<Record<string, string>>

const maxColumns = 1_000
const maxCellCharacters = 1_000_000
const delimiters = [',', ';', '\t']

/**
 * Reads a table by RFC 4180: the first line names the columns, cells in quotes may have line breaks. Yields
 * rows by the names of their columns, in lower case. Rows with another number of cells are counted and left
 * out.
 */
export async function* readRows(
  name: string,
  file: ArchiveFile,
  encoding: string,
  tally?: Tally,
): AsyncGenerator<Row> {
  const parser = new RowParser(name)
  let columns: readonly string[] | undefined
  for await (const cells of parseCells(parser, decode(file, encoding))) {
    if (columns === undefined) {
      columns = cells.map((cell) => cell.trim().toLowerCase())
      if (new Set(columns).size !== columns.length)
        throw new ImportRefusal(`The first line of ${name} names a column twice.`)
    } else if (cells.length === columns.length) {
      yield Object.fromEntries(columns.map((column, index) => [column, storable(cells[index] ?? '')]))
    } else if (cells.length > 1 || cells[0] !== '') tally?.lose('bad_row', { name })
  }
}

async function* parseCells(parser: RowParser, texts: AsyncIterable<string>): AsyncGenerator<string[]> {
  for await (const text of texts) yield* parser.push(text)
  yield* parser.finish()
}

/** Decodes a text by its byte order mark, else by the encoding that the options name. */
async function* decode(file: ArchiveFile, encoding: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const chunk of file.read()) {
    decoder ??= makeDecoder(chunk, encoding)
    yield decoder.decode(chunk, { stream: true })
  }
  if (decoder) yield decoder.decode()
}

function makeDecoder(head: Buffer, encoding: string): TextDecoder {
  const mark = head.toString('hex', 0, 2)
  const found = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : encoding
  try {
    return new TextDecoder(found)
  } catch {
    throw new ImportRefusal(
      `--encoding names no known encoding: ${encoding}. Examples: utf-8, windows-1252, shift_jis.`,
    )
  }
}

/** Splits text into the cells of rows, whatever pieces the text arrives in. */
class RowParser {
  readonly #name: string
  #delimiter: string | undefined
  #cells: string[] = []
  #cell = ''
  /** `quote` after a quote in a quoted cell, which ends the cell unless another one follows. */
  #state: 'start' | 'plain' | 'quoted' | 'quote' = 'start'
  #head = ''

  constructor(name: string) {
    this.#name = name
  }

  *push(text: string): Generator<string[]> {
    if (this.#delimiter === undefined) {
      this.#head += text
      if (!this.#head.includes('\n') && this.#head.length < maxCellCharacters) return
      yield* this.#begin()
    } else yield* this.#parse(text, this.#delimiter)
  }

  *finish(): Generator<string[]> {
    if (this.#delimiter === undefined) yield* this.#begin()
    if (this.#cell !== '' || this.#cells.length > 0) yield this.#endRow()
  }

  *#begin(): Generator<string[]> {
    const line = this.#head.split('\n', 1)[0] ?? ''
    const count = (delimiter: string) => line.split(delimiter).length
    this.#delimiter = delimiters.toSorted((a, b) => count(b) - count(a))[0] ?? ','
    yield* this.#parse(this.#head, this.#delimiter)
  }

  *#parse(text: string, delimiter: string): Generator<string[]> {
    for (const character of text) {
      if (this.#state === 'quoted') {
        if (character === '"') this.#state = 'quote'
        else this.#append(character)
        continue
      }
      if (character === '"' && this.#state !== 'plain') {
        if (this.#state === 'quote') this.#append('"')
        this.#state = 'quoted'
      } else if (character === delimiter) this.#endCell()
      else if (character === '\n') yield this.#endRow()
      else if (character !== '\r') {
        this.#append(character)
        this.#state = 'plain'
      }
    }
  }

  #append(text: string): void {
    this.#cell += text
    if (this.#cell.length > maxCellCharacters)
      throw new ImportRefusal(
        `${this.#name} has a cell of more than ${maxCellCharacters} characters. A quote is probably not closed.`,
      )
  }

  #endCell(): void {
    this.#cells.push(this.#cell)
    if (this.#cells.length > maxColumns)
      throw new ImportRefusal(`${this.#name} has a row of more than ${maxColumns} columns.`)
    this.#cell = ''
    this.#state = 'start'
  }

  #endRow(): string[] {
    this.#endCell()
    const cells = this.#cells
    this.#cells = []
    return cells
  }
}
