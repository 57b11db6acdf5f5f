import { hasOperands, isOperands } from '@oxbow/contract/plain'
import { recentConversations } from '../client/conversations/recent.ts'
import { formatDate } from '../client/formats/dates.ts'
import { addDays, startOfDay } from '../client/formats/local-time.ts'
import { today } from '../client/formats/today.ts'
import type { Person } from '../client/people/people.ts'
import { searchOrigin } from '../client/route/search.ts'
import { topicsOf } from '../client/streams/stream-facts.ts'
import { type KnownStream, kindOf, streamName } from '../client/streams/streams.ts'
import type { Suggestion } from '../composer/suggest.ts'
import { NameIndex } from '../text/name-index.ts'
import { type Key, t } from '../text/t.ts'
import { describeChip } from './chip-text.ts'
import { findPeople, findStreams } from './find-names.ts'
import { type Chip, isDate, splitTyped, type Token } from './query.ts'

/**
 * A row of suggestions: conditions that become chips, or an operator after which the user types an
 * operand.
 */
export interface TermSuggestion extends Suggestion {
  readonly chips?: readonly Chip[]
}

/** Operators that are offered, with their descriptions. */
const offered = [
  ['stream', 'search.by_stream'],
  ['topic', 'search.by_topic'],
  ['sender', 'search.by_sender'],
  ['pm-with', 'search.by_people'],
  ['is', 'search.by_flag'],
  ['has', 'search.by_content'],
  ['streams', 'search.by_public'],
  ['date', 'search.by_date'],
] as const satisfies readonly (readonly [string, Key])[]

const max = 8
const maxPerKind = 3

/** Completions of the last word of a text. */
export interface Completion {
  readonly suggestions: readonly TermSuggestion[]
  /** Index of the word that a suggestion replaces. */
  readonly start: number
  /** Whether the word is an operand, so that Enter takes the first suggestion. */
  readonly isOperand: boolean
}

/**
 * Suggests conditions for the last word of a text, or the usual ones for an empty text. Reads
 * signals.
 */
export function suggestTerms(text: string, chips: readonly Chip[]): Completion {
  const token = /\s$/.test(text) ? undefined : splitTyped(text).at(-1)
  if (!token)
    return {
      suggestions: chips.length === 0 && text === '' ? [...suggestOrigin(), ...suggestOperators('')] : [],
      start: text.length,
      isOperand: false,
    }
  const isOperand = token.operator !== undefined
  const suggestions = isOperand ? suggestOperands(token, chips) : suggestWords(token.text)
  return { suggestions: suggestions.slice(0, max), start: token.start, isOperand }
}

function suggestOrigin(): TermSuggestion[] {
  const chips = searchOrigin.value
  if (chips.length === 0) return []
  const view = chips.map(describeChip).join(', ')
  return [{ key: 'origin', title: t('search.only_here'), detail: view, insert: '', chips }]
}

function suggestOperators(typed: string): TermSuggestion[] {
  const minus = typed.startsWith('-') ? '-' : ''
  return offered
    .filter(([operator]) => operator.startsWith(typed.slice(minus.length)))
    .map(([operator, text]) => ({
      key: `operator ${operator}`,
      title: `${minus}${operator}:`,
      detail: t(text as 'search.by_stream'),
      insert: `${minus}${operator}:`,
    }))
}

/** Suggests operators and operands for a plain word. */
function suggestWords(word: string): TermSuggestion[] {
  if (word.startsWith('"')) return []
  const plain = word.replace(/^-/, '').toLowerCase()
  const isNegated = word.startsWith('-')
  if (plain.length < 2) return plain === '' ? [] : suggestOperators(word.toLowerCase())
  const fixed = [
    ...suggestFixed('is', isOperands, plain, isNegated),
    ...suggestFixed('has', hasOperands, plain, isNegated),
  ]
  return [
    ...suggestOperators(word.toLowerCase()),
    ...fixed,
    ...findStreams(plain, maxPerKind).flatMap(({ item, rank }) =>
      rank < 3 ? [streamSuggestion(item, isNegated)] : [],
    ),
    ...findPeople(plain, maxPerKind).flatMap(({ item, rank }) =>
      rank < 3 ? [personSuggestion('sender', item, isNegated)] : [],
    ),
  ]
}

function suggestOperands(token: Token, chips: readonly Chip[]): TermSuggestion[] {
  const { operator, operand = '', isNegated = false } = token
  switch (operator) {
    case 'stream':
      return findStreams(operand, max).map(({ item }) => streamSuggestion(item, isNegated))
    case 'sender':
    case 'pm-with':
    case 'group-pm-with':
      return findPeople(operand, max).map(({ item }) => personSuggestion(operator, item, isNegated))
    case 'topic':
      return suggestTopics(operand, isNegated, chips)
    case 'is':
      return suggestFixed(operator, isOperands, operand, isNegated)
    case 'has':
      return suggestFixed(operator, hasOperands, operand, isNegated)
    case 'streams':
      return suggestFixed(operator, ['public'], operand, isNegated)
    case 'date':
      return suggestDates(operand)
    default:
      return []
  }
}

const chipSuggestion = (chip: Chip, more: Partial<Suggestion> = {}): TermSuggestion => ({
  key: JSON.stringify(chip),
  title: describeChip(chip),
  insert: '',
  chips: [chip],
  ...more,
})

const negation = (isNegated: boolean): { negated?: true } => (isNegated ? { negated: true } : {})

function streamSuggestion(stream: KnownStream, isNegated: boolean): TermSuggestion {
  const { stream_id, name, description } = stream
  const color = 'color' in stream ? stream.color : 'var(--control)'
  return chipSuggestion(
    { operator: 'stream', operand: { stream_id, name }, ...negation(isNegated) },
    { detail: description || undefined, picture: { kind: 'stream', shape: kindOf(stream), color } },
  )
}

function personSuggestion(
  operator: 'sender' | 'pm-with' | 'group-pm-with',
  { user_id, full_name, avatar_url }: Person,
  isNegated: boolean,
): TermSuggestion {
  return chipSuggestion(
    { operator, operand: { user_ids: [user_id], label: full_name }, ...negation(isNegated) },
    { picture: { kind: 'person', user_id, url: avatar_url } },
  )
}

const suggestFixed = (
  operator: 'is' | 'has' | 'streams',
  operands: readonly string[],
  typed: string,
  isNegated: boolean,
): TermSuggestion[] =>
  operands
    .filter((operand) => operand.startsWith(typed.toLowerCase()))
    .map((operand) => chipSuggestion({ operator, operand, ...negation(isNegated) }))

/** Suggests topics of the chosen stream, or else of recent conversations. */
function suggestTopics(typed: string, isNegated: boolean, chips: readonly Chip[]): TermSuggestion[] {
  const stream = chips.find(({ operator, negated }) => operator === 'stream' && !negated)
  const stream_id = stream?.operator === 'stream' ? stream.operand.stream_id : undefined
  const topics =
    stream_id === undefined
      ? recentConversations.value.flatMap(({ target }) =>
          target.type === 'stream'
            ? [{ name: target.topic, detail: streamName(target.stream_id) as string | undefined }]
            : [],
        )
      : (topicsOf(stream_id).value ?? []).map(({ name }) => ({ name, detail: undefined }))
  const unique = [...new Map(topics.toReversed().map((topic) => [topic.name.toLowerCase(), topic])).values()]
  const index = new NameIndex(unique.reverse(), ({ name }) => name)
  index.prepare(Number.POSITIVE_INFINITY)
  return index
    .find(typed, max)
    .map(({ item: { name, detail } }) =>
      chipSuggestion({ operator: 'topic', operand: name, ...negation(isNegated) }, { detail }),
    )
}

function suggestDates(typed: string): TermSuggestion[] {
  const days = isDate(typed) ? [typed] : [0, 1, 7, 30, 365].map((ago) => addDays(today.value, -ago))
  return days
    .filter((day) => isDate(typed) || day.startsWith(typed))
    .map((operand) =>
      chipSuggestion(
        { operator: 'date', operand },
        { title: `date:${operand}`, detail: formatDate(startOfDay(operand)) },
      ),
    )
}
