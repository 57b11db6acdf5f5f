import { isRenderedHtml } from '@oxbow/markdown/check-html'
import type { z } from 'zod'
import { type RecordType, recordSchema } from '../format/record-type.ts'
import { recordTypes } from '../format/records.ts'
import { contentRefusal, recordRefusal } from './refuse.ts'

export type ExportedRecord = Record<string, unknown>

const schemas = new Map<string, z.ZodObject>(recordTypes.map((type) => [type.name, recordSchema(type)]))
const htmlFields = new Map(
  recordTypes.map(({ name, fields }) => [
    name,
    Object.keys(fields).filter((field) => fields[field]?.role === 'html'),
  ]),
)

/** Yields the records of a part, each checked against its schema. */
export function* readRecords(type: RecordType, content: Buffer, file: string): Generator<ExportedRecord> {
  const schema = schemas.get(type.name) as z.ZodObject
  let line = 0
  for (let start = 0; start < content.length; ) {
    const end = content.indexOf(0x0a, start)
    line++
    if (end === -1) throw contentRefusal(`line ${line} of ${file} is not complete`)
    const parsed = schema.safeParse(parseJson(content.toString('utf8', start, end)))
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'invalid' }
      throw contentRefusal(`line ${line} of ${file}: ${path.join('.')} ${message}`)
    }
    yield parsed.data
    start = end + 1
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Throws unless all HTML of the record could have been written by the renderer. */
export function refuseForeignHtml({ name }: RecordType, record: ExportedRecord): void {
  for (const field of htmlFields.get(name) ?? []) {
    const html = record[field]
    if (typeof html === 'string' && !isRenderedHtml(html))
      throw recordRefusal(name, record, `${field} has HTML that Oxbow does not write`)
  }
}
