import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { quoteColumns, quoteName } from '../../../platform/archive/database-tables.ts'
import type { Row } from './convert-record.ts'

/** Approximate number of characters per write to the connection. */
const pieceLength = 262_144

/**
 * Loads rows into a table with one COPY statement, so that rows may refer to later rows of the same table.
 * All rows have the columns of the first. Returns their number. Memory does not grow with it. If `rows` throws, the
 * statement is ended too, and the connection can be used again.
 */
export async function loadRows(
  client: pg.ClientBase,
  table: string,
  rows: AsyncIterable<Row>,
): Promise<number> {
  let copy: ReturnType<typeof copyFrom> | undefined
  let columns: string[] = []
  let failure: Error | undefined
  let [piece, count] = ['', 0]
  const flush = async () => {
    const text = piece
    piece = ''
    if (copy && !failure && !copy.write(text)) await once(copy, 'drain').catch(() => {})
    if (failure) throw failure
  }
  try {
    for await (const row of rows) {
      if (!copy) {
        columns = Object.keys(row)
        copy = client.query(copyFrom(`copy ${quoteName(table)} (${quoteColumns(columns)}) from stdin`))
        copy.on('error', (error) => {
          failure ??= error
        })
      }
      piece += `${columns.map((column) => formatValue(row[column])).join('\t')}\n`
      count++
      if (piece.length >= pieceLength) await flush()
    }
  } catch (error) {
    // Otherwise PostgreSQL would wait for more rows, and a rollback for the end of the statement.
    if (!failure) copy?.destroy(error as Error)
    throw error
  }
  if (!copy) return 0
  await flush()
  copy.end()
  await finished(copy)
  return count
}

/** Formats a value for the text format of COPY. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '\\N'
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`
  if (Array.isArray(value)) return escapeText(`{${value.map(formatElement).join()}}`)
  return escapeText(String(value))
}

function formatElement(element: unknown): string {
  return typeof element === 'number' ? String(element) : `"${String(element).replace(/["\\]/g, '\\$&')}"`
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escapeText = (text: string): string =>
  text.replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? '')
