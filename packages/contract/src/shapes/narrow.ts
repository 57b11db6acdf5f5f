import { z } from 'zod'
import { ApiError } from '../api-error.ts'
import { FloatText, parseJson } from '../kernel/json-text.ts'
import type { Param, RawValue } from '../kernel/params.ts'
import { parseOrRefuse } from '../kernel/parse-or-refuse.ts'
import { maxCharacters, maxItems } from '../kernel/schemas.ts'

const maxOperandLength = 10_000
/** Maximum number of terms in a request, before equal terms are merged. */
const maxRequestTerms = 100
/** Maximum number of different terms. Each makes the SQL statement longer, and slower to plan. */
export const maxNarrowTerms = 20

const text = maxCharacters(maxOperandLength)
const id = z.int({ error: '{V} is not a string or integer' })
const ids = z
  .array(z.int(), { error: '{V} is not a string or an integer list' })
  .refine((list) => list.length <= maxOperandLength, {
    error: `{V} has too many items (limit: ${maxOperandLength})`,
  })
const nonBlank = text.refine((operand) => operand.trim() !== '', { error: '{V} cannot be blank.' })

const term = <Operand extends z.ZodType>(operand: Operand) =>
  z.object({ operator: z.string(), operand, negated: z.boolean().default(false) })

const termWith = { text: term(text), id: term(id), ids: term(ids), nonBlank: term(nonBlank) }

/** One condition that messages must meet, or must fail if it is negated. */
export const narrowTerm = term(z.union([z.string(), z.int(), z.array(z.int())]))
export type NarrowTerm = z.infer<typeof narrowTerm>

/** Conditions that messages must all meet. */
export const narrowTerms = z.array(narrowTerm)

/**
 * Drops terms that repeat an earlier one; throws `BAD_NARROW` where more than `maxNarrowTerms`
 * remain.
 */
export function mergeNarrowTerms<Term>(terms: readonly Term[]): Term[] {
  const merged = [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()]
  if (merged.length > maxNarrowTerms)
    throw new ApiError('BAD_NARROW', { desc: `more than ${maxNarrowTerms} different terms` })
  return merged
}

/**
 * Declares a parameter of terms in JSON. Each term may also be a pair of operator and operand, as
 * older clients send it.
 */
export function narrow<Schema extends z.ZodType<NarrowTerm[], z.input<typeof narrowTerms> | undefined>>(
  schema: Schema,
): Param<Schema> {
  return {
    location: 'arguments',
    encoding: 'json',
    schema,
    read: readTerms,
    write: (value) => JSON.stringify(value),
  }
}

function readTerms(raw: RawValue, name: string): NarrowTerm[] {
  const badValue = () => {
    const bad_value = typeof raw === 'string' ? raw : JSON.stringify(raw.parsed)
    return new ApiError('REQUEST_VARIABLE_INVALID', { var_name: name, bad_value })
  }
  const terms = typeof raw === 'string' ? parsed(raw, badValue) : raw.parsed
  if (!Array.isArray(terms)) throw badValue()
  parseOrRefuse(maxItems(z.unknown(), maxRequestTerms), terms, name)
  return terms.map((item) => readTerm(item, badValue))
}

function parsed(raw: string, badValue: () => ApiError): unknown {
  try {
    return parseJson(raw)
  } catch {
    throw badValue()
  }
}

function readTerm(item: unknown, badValue: () => ApiError): NarrowTerm {
  const rawTerm = Array.isArray(item) ? termOfPair(item) : item
  if (typeof rawTerm !== 'object' || rawTerm === null || rawTerm instanceof FloatText) throw badValue()
  const term = withOurNames(rawTerm)
  // The protocol calls every term `elem`.
  return parseOrRefuse(schemaFor(term), term, 'elem')
}

/** Operators of later feature levels, and their names at this level. */
const operatorNames: Readonly<Record<string, string>> = { channel: 'stream', dm: 'pm-with' }

/**
 * Replaces the later names of an operator and its operand, so that nothing else needs to know them.
 */
export function resolveLaterNames<Operand>(operator: string, operand: Operand) {
  const isPrivate = operator === 'is' && operand === 'dm'
  return {
    operator: Object.hasOwn(operatorNames, operator) ? (operatorNames[operator] as string) : operator,
    operand: isPrivate ? ('private' as const) : operand,
  }
}

function withOurNames(rawTerm: { operator?: unknown; operand?: unknown }): object {
  if (typeof rawTerm.operator !== 'string' || rawTerm.operand === undefined) return rawTerm
  const { operator, operand } = resolveLaterNames(rawTerm.operator, rawTerm.operand)
  return { ...rawTerm, operator, operand: asOperand(rawTerm.operator, operand) }
}

/** Converts an id to the text or the list that the operator expects. */
function asOperand(operator: unknown, operand: unknown): unknown {
  if (!Number.isInteger(operand)) return operand
  if (operator === 'dm') return [operand]
  return operator === 'id' || operator === 'near' ? String(operand) : operand
}

function termOfPair(pair: unknown[]): object | undefined {
  const [operator, operand] = pair
  const isPair = pair.length === 2 && typeof operator === 'string' && typeof operand === 'string'
  return isPair ? { operator, operand } : undefined
}

/**
 * Chooses the schema by the operator and by the type of the operand, so that the error text names
 * the expected type.
 */
function schemaFor({ operator, operand }: { operator?: unknown; operand?: unknown }) {
  switch (operator) {
    case 'sender':
    case 'group-pm-with':
    case 'stream':
      return typeof operand === 'string' ? termWith.text : termWith.id
    case 'pm-with':
      return typeof operand === 'string' ? termWith.text : termWith.ids
    case 'search':
      return termWith.nonBlank
    default:
      return termWith.text
  }
}
