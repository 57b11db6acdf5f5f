import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { constants, createZstdDecompress, zstdCompress } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { quoteColumns, quoteName, type TableToCopy } from '../../platform/archive/database-tables.ts'
import { OperatorError } from '../../platform/operator-error.ts'

const compress = promisify(zstdCompress)

/** A part of a table ends with the first complete row after this many bytes. */
const partBytes = 4 * 1_048_576
/** A part is at most one row longer than `partBytes`, and PostgreSQL limits a value to 1 GB. */
const maxPartBytes = 1_200 * 1_048_576
const compressionLevel = 3
/** Limits the memory of a decompression to 16 MB. Parts need 2 MB. */
const maxWindowLog = 24
const newline = 0x0a

export interface RowsPart {
  /** Size of the rows in the text format of COPY, before compression. */
  bytes: number
  compressed: Buffer
}

/** Reads a table with COPY, and yields its rows in compressed parts. Memory does not grow with the table. */
export async function* copyRowsOut(
  client: pg.ClientBase,
  { name, columns }: Pick<TableToCopy, 'name' | 'columns'>,
): AsyncGenerator<RowsPart> {
  const rows = client.query(copyTo(`copy ${quoteName(name)} (${quoteColumns(columns)}) to stdout`))
  let gathered: Buffer[] = []
  let size = 0
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    gathered.push(chunk)
    size += chunk.length
    if (size < partBytes) continue
    const end = chunk.lastIndexOf(newline) + 1
    if (end === 0) continue
    const completeRows = Buffer.concat([...gathered.slice(0, -1), chunk.subarray(0, end)])
    gathered = [chunk.subarray(end)]
    size = chunk.length - end
    yield await compressPart(completeRows)
  }
  if (size > 0) yield await compressPart(Buffer.concat(gathered))
}

async function compressPart(rows: Buffer): Promise<RowsPart> {
  const params = { [constants.ZSTD_c_compressionLevel]: compressionLevel }
  return { bytes: rows.length, compressed: await compress(rows, { params }) }
}

/**
 * Decompresses a part of a table piece by piece, so that a small part that was made to become gigabytes takes no
 * memory. The byte stream fails if the part is not a zstd frame, or longer than a backup ever writes.
 */
export async function* decompressPart(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const rows = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: maxWindowLog } })
  // Reading the rows throws the same error.
  pipeline(compressed, rows).catch(() => {})
  rows.on('error', () => {})
  let size = 0
  for await (const piece of rows as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > maxPartBytes) throw new OperatorError(`a part of a table has more than ${maxPartBytes} bytes`)
    yield piece
  }
}

/** Counts rows in the text format of COPY, which escapes line breaks in values. */
export function countRows(rows: Buffer): number {
  let count = 0
  for (let at = rows.indexOf(newline); at !== -1; at = rows.indexOf(newline, at + 1)) count++
  return count
}

/**
 * Loads a part of a table. The table must have been emptied in this transaction, so that its rows need no later
 * freezing.
 */
export async function copyRowsIn(
  client: pg.ClientBase,
  { name, columns }: Pick<TableToCopy, 'name' | 'columns'>,
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  const load = client.query(
    copyFrom(`copy ${quoteName(name)} (${quoteColumns(columns)}) from stdin with (freeze)`),
  )
  await pipeline(rows, load)
}
