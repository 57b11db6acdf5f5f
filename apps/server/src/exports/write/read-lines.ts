import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

const newline = 0x0a

/**
 * Runs a query with one column of JSON through COPY, and yields the lines. Memory does not grow with the
 * number of rows. The caller may await other work between lines; PostgreSQL waits meanwhile. A caller that stops
 * reading before the last line must end the session.
 */
export async function* readLines(client: pg.ClientBase, query: string): AsyncGenerator<string> {
  const rows = client.query(copyTo(`copy (${query}) to stdout`))
  // The loop throws errors of the statement. If the caller stops reading, the session ends with another one.
  rows.on('error', () => {})
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let start = 0
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      yield unescapeLine(bytes.toString('utf8', start, end))
      start = end + 1
    }
    rest = bytes.subarray(start)
  }
}

/** Decodes the text format of COPY. JSON has no control characters, so COPY escapes only backslashes. */
const unescapeLine = (line: string): string => line.replaceAll('\\\\', '\\')
