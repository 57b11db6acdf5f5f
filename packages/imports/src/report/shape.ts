import type { Archive } from '../archive/archive.ts'
import { readJsonList } from '../archive/read-json.ts'

/** A field of the JSON in an archive: how often it has a value of each type, and how long texts and lists are. */
interface FieldShape {
  types: Record<string, number>
  maxLength: number
}

export interface ArchiveShape {
  /** Kinds of files by their paths without names, such as `<folder>/<date>.json`, with the fields in them. */
  files: Record<
    string,
    { count: number; bytes: number; problems: Record<string, number>; fields: Record<string, FieldShape> }
  >
}

/** Names of fields that are names of the protocol, and not data. Other names are ids, and become `*`. */
const fieldName = /^[a-z][a-z0-9_]{0,39}$/i
const looksLikeId = /^[A-Z0-9]{8,}$|\d{4,}/
const maxDepth = 12
const maxFields = 20_000
const knownNames =
  /^(?:users|org_users|channels|groups|mpims|dms|integration_logs|people|places|messages|canvases|content_flags)$/

/**
 * Describes the structure of an archive without any value in it: paths, names of fields, types, lengths and
 * counts. People can pass it on when an import goes wrong.
 */
export async function describeShape(archive: Archive): Promise<ArchiveShape> {
  const shape: ArchiveShape = { files: Object.create(null) }
  let fields = 0
  for (const [name, file] of archive.files) {
    const kind = shapeOfName(name)
    shape.files[kind] ??= { count: 0, bytes: 0, problems: {}, fields: Object.create(null) }
    const found = shape.files[kind]
    found.count++
    found.bytes += file.size
    if (!name.endsWith('.json')) continue
    const onProblem = (problem: string) => {
      found.problems[problem] = (found.problems[problem] ?? 0) + 1
    }
    for await (const element of readJsonList(file, onProblem))
      visit(element, '', 0, (path, type, length) => {
        if (!(path in found.fields) && fields++ > maxFields) return
        found.fields[path] ??= { types: {}, maxLength: 0 }
        const seen = found.fields[path]
        seen.types[type] = (seen.types[type] ?? 0) + 1
        seen.maxLength = Math.max(seen.maxLength, length)
      })
  }
  return shape
}

function shapeOfName(name: string): string {
  const parts = name.split('/')
  const file = parts.pop() ?? ''
  const [, stem = '', extension = ''] = /^(.*?)(\.[a-z0-9]{1,5})?$/i.exec(file) ?? []
  const shown = knownNames.test(stem) ? stem : /^\d{4}-\d\d-\d\d$/.test(stem) ? '<date>' : '<name>'
  return [
    ...parts.map((part) => (/^(?:teams|__uploads|attachments|emojis)$/.test(part) ? part : '<folder>')),
    shown + extension.toLowerCase(),
  ].join('/')
}

function visit(
  value: unknown,
  path: string,
  depth: number,
  note: (path: string, type: string, length: number) => void,
): void {
  if (depth > maxDepth) return
  if (Array.isArray(value)) {
    note(path, 'list', value.length)
    for (const item of value) visit(item, `${path}[]`, depth + 1, note)
  } else if (typeof value === 'object' && value !== null) {
    note(path, 'object', Object.keys(value).length)
    for (const [name, item] of Object.entries(value)) {
      const isName = fieldName.test(name) && !looksLikeId.test(name)
      visit(item, `${path}.${isName ? name : '*'}`, depth + 1, note)
    }
  } else note(path, value === null ? 'null' : typeof value, typeof value === 'string' ? value.length : 0)
}
