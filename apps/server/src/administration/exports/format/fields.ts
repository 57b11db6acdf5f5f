import type { Setting } from '@oxbow/contract'
import { z } from 'zod'

/**
 * Kinds of ids. Ids of one kind are unique in an export, and an import maps them to new ones.
 * Streams and conversations share the kind `recipient`. Ids of the kinds `message` and `position`
 * also serve as points in time, such as the end of a subscription, so some of them belong to no
 * record.
 */
const idKinds = [
  'user',
  'recipient',
  'message',
  'position',
  'user_group',
  'emoji',
  'upload',
  'profile_field',
  'default_stream_group',
  'stream_folder',
] as const
export type IdKind = (typeof idKinds)[number]

/** How an import treats the value of a field. */
type FieldRole =
  | { role: 'plain' }
  /** One id or, if the value is an array, several ids. */
  | { role: 'id'; kind: IdKind }
  /** A text in Markdown, which may contain ids and paths. */
  | { role: 'markdown' }
  /** HTML that the server rendered, which contains ids and paths. */
  | { role: 'html' }
  /** A value that the code for its record type converts. */
  | { role: 'special' }

export type Field = FieldRole & {
  schema: z.ZodType
  about: string
  /** SQL expression of the value. By default, the column that has the name of the field. */
  sql?: string
  /** SQL expression of the value in exports of public data, for values that only their owner may see. */
  publicSql?: string
}

type FieldSql = Pick<Field, 'sql' | 'publicSql'>

/** Clients read ids as 53-bit integers. */
const maxId = 2 ** 53 - 1
/** Maximum number of ids in one field. Conversations have at most a thousand members. */
const maxIds = 10_000

const idSchema = z.int().min(0).max(maxId)
const plain = (schema: z.ZodType, about: string, more: FieldSql = {}): Field => ({
  role: 'plain',
  schema,
  about,
  ...more,
})

/** PostgreSQL cannot store U+0000, and cannot encode half a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
const unstorable = 'has characters that cannot be stored'
const textSchema = (max: number) => z.string().max(max).refine(isStorable, unstorable)
const timeSchema = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00$/)
  .describe('ISO 8601 with up to six decimals, in UTC')

export const id = (kind: IdKind, about: string, more: FieldSql = {}): Field => ({
  role: 'id',
  kind,
  schema: idSchema.describe(`id of the kind \`${kind}\``),
  about,
  ...more,
})
export const optionalId = (kind: IdKind, about: string, more: FieldSql = {}): Field => ({
  ...id(kind, about, more),
  schema: idSchema.nullable().describe(`id of the kind \`${kind}\`, or null`),
})
export const idList = (kind: IdKind, about: string): Field => ({
  ...id(kind, about),
  schema: z.array(idSchema).max(maxIds).describe(`ids of the kind \`${kind}\``),
})
export const text = (max: number, about: string, more: FieldSql = {}): Field =>
  plain(textSchema(max), about, more)
/** The field of a setting, from a column that has the name of the setting. */
export const settingField = ({ stored, value }: Setting): Field =>
  plain(
    stored.refine((content) => typeof content !== 'string' || isStorable(content), unstorable),
    value.description,
  )
export const optionalText = (max: number, about: string, more: FieldSql = {}): Field =>
  plain(textSchema(max).nullable(), about, more)
export const textList = (max: number, about: string): Field =>
  plain(z.array(textSchema(max)).max(1_000), about)
export const flag = (about: string, more: FieldSql = {}): Field => plain(z.boolean(), about, more)
export const optionalFlag = (about: string, more: FieldSql = {}): Field =>
  plain(z.boolean().nullable(), about, more)
export const integer = (min: number, max: number, about: string, more: FieldSql = {}): Field =>
  plain(z.int().min(min).max(max), about, more)
export const optionalInteger = (min: number, max: number, about: string): Field =>
  plain(z.int().min(min).max(max).nullable(), about)
export const oneOf = (values: readonly [string | number, ...(string | number)[]], about: string): Field =>
  plain(z.literal([...values] as [string, ...string[]]), about)
export const optionalOneOf = (values: readonly [number, ...number[]], about: string): Field =>
  plain(z.literal([...values] as [number, ...number[]]).nullable(), about)
export const timestamp = (about: string): Field => plain(timeSchema, about)
export const optionalTimestamp = (about: string): Field => plain(timeSchema.nullable(), about)
export const day = (about: string): Field => plain(z.string().regex(/^\d{4}-\d\d-\d\d$/), about)
export const special = (schema: z.ZodType, about: string): Field => ({ role: 'special', schema, about })
export const specialText = (max: number, about: string): Field => special(textSchema(max), about)
export const specialIds = (about: string): Field => special(z.array(idSchema).max(maxIds), about)

/**
 * Maximum number of characters of a text in Markdown, and of rendered HTML, so that two messages fit into a response
 * however long they are as JSON. The renderer writes less than half of it.
 */
const [maxMarkdown, maxHtml] = [200_000, 300_000]

export const markdown = (about: string): Field => ({
  role: 'markdown',
  schema: textSchema(maxMarkdown),
  about,
})
export const optionalMarkdown = (about: string): Field => ({
  ...markdown(about),
  schema: textSchema(maxMarkdown).nullable(),
})
export const renderedHtml = (about: string): Field => ({ role: 'html', schema: textSchema(maxHtml), about })
export const optionalRenderedHtml = (about: string): Field => ({
  ...renderedHtml(about),
  schema: textSchema(maxHtml).nullable(),
})
