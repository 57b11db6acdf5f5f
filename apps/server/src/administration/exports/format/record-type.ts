import { z } from 'zod'
import type { Field } from './fields.ts'

/** One kind of record in an export. Each row of its table becomes one line of JSON. */
export interface RecordType {
  /** Name of the directory with its records. */
  name: string
  table: string
  about: string
  fields: Readonly<Record<string, Field>>
  /** SQL by which the records are sorted. An import assigns new ids in this order. */
  order: string
  /**
   * Whether exports of public data contain the records: all, none, or those that meet an SQL condition on
   * the table, whose alias is `r`.
   */
  inPublic: boolean | string
  /** SQL condition on the table for all exports; by default, rows of the organization. */
  rows?: string
}

export function recordType(declaration: RecordType): RecordType {
  return declaration
}

/** Returns the schema of the records. Unknown fields are refused. */
export function recordSchema({ fields, about }: RecordType): z.ZodObject {
  const shape = Object.entries(fields).map(([name, field]) => [name, field.schema] as const)
  return z.strictObject(Object.fromEntries(shape)).describe(about)
}

/** Contents of an export: `everything`, or only what each member of the organization can see. */
export const scopes = ['everything', 'public'] as const
export type Scope = (typeof scopes)[number]

/**
 * Returns a query with one column, the JSON of a record. Returns undefined if exports of this scope
 * do not contain records of this type.
 */
export function selectRecords(type: RecordType, organization_id: number, scope: Scope): string | undefined {
  const { fields, table, order, inPublic, rows = 'r.organization_id = $organization' } = type
  if (scope === 'public' && inPublic === false) return undefined
  const columns = Object.entries(fields).map(([name, { sql, publicSql }]) => {
    const value = (scope === 'public' ? publicSql : undefined) ?? sql ?? `r.${name}`
    return `${value} as ${name}`
  })
  const conditions = [rows, ...(scope === 'public' && typeof inPublic === 'string' ? [inPublic] : [])]
  return `
    select row_to_json(each)::text from (
      select ${columns.join(', ')} from ${table} r where ${conditions.map((text) => `(${text})`).join(' and ')} order by ${order}
    ) as each`.replaceAll('$organization', String(Math.trunc(organization_id)))
}
