import { z } from 'zod'
import { ApiError } from '../api-error.ts'
import { FloatText, parseJson } from '../kernel/json-text.ts'
import type { Param, RawValue } from '../kernel/params.ts'
import { parseOrRefuse } from '../kernel/parse-or-refuse.ts'
import { maxItems } from '../kernel/schemas.ts'
import { buildTermSchema, convertOperand, findTermSchema, resolveLaterNames } from './narrow-operators.ts'

/** Maximum number of terms in a request, before equal terms are merged. */
const maxRequestTerms = 100
/** Maximum number of distinct terms. Each term makes the SQL statement longer and slower to plan. */
export const maxNarrowTerms = 20

/** One condition that messages must meet, or must not meet if it is negated. */
export const narrowTerm = buildTermSchema(z.union([z.string(), z.int(), z.array(z.int())]))
export type NarrowTerm = z.infer<typeof narrowTerm>

/** Conditions that messages must all meet. */
export const narrowTerms = z.array(narrowTerm)

/** Removes repeated terms. Throws `BAD_NARROW` if more than `maxNarrowTerms` remain. */
export function mergeNarrowTerms<Term>(terms: readonly Term[]): Term[] {
  const merged = [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()]
  if (merged.length > maxNarrowTerms)
    throw new ApiError('BAD_NARROW', { desc: `more than ${maxNarrowTerms} different terms` })
  return merged
}

/**
 * Declares a JSON parameter with terms. A term may also be a pair of operator and operand, as older
 * clients send it.
 */
export function narrow<Schema extends z.ZodType<NarrowTerm[], z.input<typeof narrowTerms> | undefined>>(
  schema: Schema,
  description: string,
): Param<Schema> {
  return {
    location: 'arguments',
    encoding: 'json',
    schema,
    description,
    read: readTerms,
    wireEncoding: 'json',
  }
}

/** Reads terms. Throws an error with the protocol's text if a term is malformed. */
export function readTerms(raw: RawValue, name: string): NarrowTerm[] {
  const badValue = () => {
    const bad_value = typeof raw === 'string' ? raw : JSON.stringify(raw.parsed)
    return new ApiError('REQUEST_VARIABLE_INVALID', { var_name: name, bad_value })
  }
  const terms = typeof raw === 'string' ? parseTerms(raw, badValue) : raw.parsed
  if (!Array.isArray(terms)) throw badValue()
  parseOrRefuse(maxItems(z.unknown(), maxRequestTerms), terms, name)
  return terms.map((item) => readTerm(item, badValue))
}

function parseTerms(raw: string, badValue: () => ApiError): unknown {
  try {
    return parseJson(raw)
  } catch {
    throw badValue()
  }
}

function readTerm(item: unknown, badValue: () => ApiError): NarrowTerm {
  const rawTerm = Array.isArray(item) ? termOfPair(item) : item
  if (typeof rawTerm !== 'object' || rawTerm === null || rawTerm instanceof FloatText) throw badValue()
  const term = resolveNames(rawTerm)
  // The protocol's error texts call every term `elem`.
  return parseOrRefuse(findTermSchema(term.operator, term.operand), term, 'elem')
}

interface RawTerm {
  operator?: unknown
  operand?: unknown
}

function resolveNames(rawTerm: RawTerm): RawTerm {
  if (typeof rawTerm.operator !== 'string' || rawTerm.operand === undefined) return rawTerm
  const { operator, operand } = resolveLaterNames(rawTerm.operator, rawTerm.operand)
  return { ...rawTerm, operator, operand: convertOperand(rawTerm.operator, operand) }
}

function termOfPair(pair: unknown[]): object | undefined {
  const [operator, operand] = pair
  const isPair = pair.length === 2 && typeof operator === 'string' && typeof operand === 'string'
  return isPair ? { operator, operand } : undefined
}
