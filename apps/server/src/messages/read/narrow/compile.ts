import { isNarrowOperator, mergeNarrowTerms, type NarrowTerm } from '@oxbow/contract'
import { sql } from 'kysely'
import type { App } from '../../../platform/app.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { SearchHints } from '../../search/search-hints.ts'
import type { Reader } from '../../visibility.ts'
import type { Narrow } from './narrow.ts'
import { buildNarrowError, type CompiledTerm } from './operator.ts'
import { operators } from './operators.ts'

export async function compileNarrow(
  app: App,
  db: Db,
  reader: Reader,
  terms: readonly NarrowTerm[],
): Promise<Narrow> {
  const narrow: Narrow = { conditions: [], includesHistory: false, indexHints: {}, searches: [], search: {} }
  let requiresReceived = false
  const merged = mergeTerms(terms)
  if (isCommonForm(merged)) narrow.isCommon = true
  for (const { operator: name, operand, negated } of merged) {
    if (!isNarrowOperator(name)) throw buildNarrowError(`unknown operator ${name}`)
    const operator = operators[name]
    const compiled = await operator.compile({ app, db, reader, operand })
    requiresReceived ||= compiled.requiresReceived ?? false
    addTerm(narrow, compiled, negated && !operator.ignoresNegation)
  }
  if (requiresReceived) narrow.includesHistory = false
  return narrow
}

/** Terms of the pages that people open most, in the order in which clients send them. */
const commonForms = new Set([
  '',
  'stream',
  'stream topic',
  'pm-with',
  'in:home',
  'is:mentioned',
  'is:private',
  'is:starred',
])

function isCommonForm(terms: readonly NarrowTerm[]): boolean {
  const describe = ({ operator, operand }: NarrowTerm) =>
    operator === 'is' || operator === 'in' ? `${operator}:${operand}` : operator
  return terms.every(({ negated }) => !negated) && commonForms.has(terms.map(describe).join(' '))
}

/** Replaces underscores in operators, which older clients use, and merges equal terms. */
function mergeTerms(terms: readonly NarrowTerm[]): NarrowTerm[] {
  return mergeNarrowTerms(terms.map((term) => ({ ...term, operator: term.operator.replaceAll('_', '-') })))
}

function addTerm(narrow: Narrow, term: CompiledTerm, negated: boolean): void {
  const { condition, searchText, namedStream, indexHints, search, includesHistory } = term
  if (condition) narrow.conditions.push(negated ? sql<boolean>`not (${condition})` : condition)
  if (searchText !== undefined) narrow.searches.push({ text: searchText, negated })
  if (namedStream) narrow.namedStream = namedStream
  if (negated) return
  Object.assign(narrow.indexHints, indexHints)
  if (search) narrow.search = mergeSearchHints(narrow.search, search)
  if (includesHistory !== undefined) narrow.includesHistory = includesHistory
}

/**
 * Merges the hints of two terms. A list of locations takes precedence over a query of locations,
 * because the query includes more of them.
 */
function mergeSearchHints(one: SearchHints, other: SearchHints): SearchHints {
  const words = [...(one.words ?? []), ...(other.words ?? [])]
  const locations = Array.isArray(one.locations) ? one.locations : (other.locations ?? one.locations)
  return { ...one, ...other, words, ...(locations && { locations }) }
}
