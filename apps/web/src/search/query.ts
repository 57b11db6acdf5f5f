import { hasOperands, isOperands } from '@oxbow/contract/plain'
import { readOperator } from '../client/route/hash.ts'
import type { PeopleSlug, Route, StreamSlug, Term } from '../client/route/route.ts'

/**
 * A condition of a search that is shown as a chip. A date determines where the list of results is
 * opened.
 */
export type Chip = Term | { readonly operator: 'date'; readonly operand: string; readonly negated?: true }

/** A search: conditions, and a text to find. */
export interface SearchQuery {
  readonly chips: readonly Chip[]
  readonly text: string
}

/** Finds streams and people by the names that were typed. */
export interface Names {
  findStream(name: string): StreamSlug | undefined
  findPerson(name: string): PeopleSlug | undefined
}

type NarrowRoute = Extract<Route, { view: 'narrow' }>

/** Returns the search that a route shows. Joins several search texts into one. */
export function readSearch({ terms, at }: NarrowRoute): SearchQuery {
  return {
    chips: [
      ...terms.filter(({ operator }) => operator !== 'search'),
      ...(at.date === undefined ? [] : [{ operator: 'date' as const, operand: at.date }]),
    ],
    text: terms.flatMap((term) => (term.operator === 'search' ? [term.operand] : [])).join(' '),
  }
}

/** Returns the route of a search. Repeated chips are removed. */
export function routeOfSearch({ chips, text }: SearchQuery): Route {
  const words = text.trim().replace(/\s+/g, ' ')
  const once = [...new Map(chips.map((chip) => [JSON.stringify(chip), chip])).values()]
  if (once.length === 0 && words === '') return { view: 'search' }
  const terms = once.filter((chip): chip is Term => chip.operator !== 'date')
  const date = once.find(({ operator }) => operator === 'date')
  return {
    view: 'narrow',
    terms: words === '' ? terms : [...terms, { operator: 'search', operand: words }],
    at: date?.operator === 'date' ? { date: date.operand } : {},
  }
}

/** A part of a typed text: a word, a phrase in quotes, or an operator with its operand. */
export interface Token {
  readonly text: string
  readonly start: number
  readonly operator?: NonNullable<ReturnType<typeof readOperator>> | 'date'
  readonly isNegated?: boolean
  /** The operand without its quotes. */
  readonly operand?: string
}

/** Splits a typed text into tokens. Quotes keep words together, also after an operator. */
export function splitTyped(text: string): Token[] {
  return [...text.matchAll(/(?:"[^"]*"?|[^\s"])+/g)].map(({ 0: word, index }) => {
    const [, minus, name = '', operand = ''] = /^(-?)([a-z][a-z-]*):(.*)$/s.exec(word) ?? []
    const operator = name === 'date' ? 'date' : readOperator(name)
    if (!operator || operator === 'search' || operator === 'near') return { text: word, start: index }
    return {
      text: word,
      start: index,
      operator,
      isNegated: minus === '-' && operator !== 'date',
      operand: operand.replaceAll('"', '').trim(),
    }
  })
}

export interface ReadText extends SearchQuery {
  /** Operators whose operand matches nothing; they stay in the text. */
  readonly wrong: readonly Token[]
}

/** Extracts the operators with their operands from a typed text. */
export function readTyped(text: string, names: Names): ReadText {
  const chips: Chip[] = []
  const words: string[] = []
  const wrong: Token[] = []
  for (const token of splitTyped(text)) {
    const chip = token.operator && readChip(token, names)
    if (chip) chips.push(chip)
    else words.push(token.text)
    if (token.operator && !chip) wrong.push(token)
  }
  return { chips, text: words.join(' '), wrong }
}

/** Returns the chip of an operator with its operand; undefined if the operand matches nothing. */
function readChip({ operator, operand = '', isNegated }: Token, names: Names): Chip | undefined {
  const negated = isNegated ? { negated: true as const } : {}
  switch (operator) {
    case undefined:
    case 'search':
    case 'near':
      return undefined
    case 'date':
      return isDate(operand) ? { operator, operand } : undefined
    case 'stream': {
      const stream = names.findStream(operand)
      return stream && { operator, operand: stream, ...negated }
    }
    case 'sender':
    case 'pm-with':
    case 'group-pm-with': {
      const people = operator === 'pm-with' ? findPeople(operand, names) : names.findPerson(operand)
      return people && { operator, operand: people, ...negated }
    }
    default: {
      const value = operator === 'is' && operand === 'dm' ? 'private' : operand
      return isOperand(operator, value) ? { operator, operand: value, ...negated } : undefined
    }
  }
}

function findPeople(operand: string, names: Names): PeopleSlug | undefined {
  const all = operand.split(',').map((name) => names.findPerson(name.trim()))
  if (!all.every((people) => people !== undefined)) return undefined
  const [first, ...more] = all
  const label = more.length > 0 ? 'group' : (first?.label ?? '')
  return { user_ids: all.flatMap(({ user_ids }) => user_ids), label }
}

const allowedOperands: Readonly<Record<string, readonly string[]>> = {
  is: isOperands,
  has: hasOperands,
  streams: ['public'],
  in: ['home', 'all'],
}

/** Returns whether an operator accepts an operand. */
export const isOperand = (operator: string, operand: string): boolean =>
  allowedOperands[operator]?.includes(operand) ?? operand !== ''

/** Returns whether a text is an existing day in the form 2026-03-01. */
export function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
