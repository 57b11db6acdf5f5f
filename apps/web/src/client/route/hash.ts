import type { MessageId, StreamId, UserId } from '@oxbow/contract'
import { decodeHashComponent, encodeHashComponent } from '@oxbow/markdown/hash'
import {
  type ListPosition,
  operandKinds,
  type PeopleSlug,
  pages,
  type Route,
  type StreamSlug,
  type Term,
} from './route.ts'

/** Operator names in links of other and older clients, with their current names. */
const oldOperators: ReadonlyMap<string, string> = new Map([
  ['channel', 'stream'],
  ['channels', 'streams'],
  ['dm', 'pm-with'],
  ['dm-including', 'group-pm-with'],
  ['subject', 'topic'],
  ['from', 'sender'],
])
const oldViews: ReadonlyMap<string, string> = new Map([
  ['recent_topics', 'recent'],
  ['all_messages', 'narrow/in/home'],
  ['channels', 'streams'],
  ['subscriptions', 'streams'],
])

/**
 * Returns the current name of an operator, given any name that people or older links use; undefined
 * if there is none.
 */
export function readOperator(name: string): keyof typeof operandKinds | undefined {
  const operator = oldOperators.get(name) ?? name
  return Object.hasOwn(operandKinds, operator) ? (operator as keyof typeof operandKinds) : undefined
}

/**
 * Parses the fragment of a URL, with or without `#`. Old forms are parsed too; `writeHash` returns
 * the current one.
 */
export function parseHash(fragment: string): Route {
  const hash = fragment.replace(/^#/, '')
  const [first = '', ...rest] = hash.split('/')
  const [view = '', ...parts] = [...(oldViews.get(first) ?? first).split('/'), ...rest]
  return readView(view, parts) ?? { view: 'unknown', hash }
}

function readView(view: string, parts: readonly string[]): Route | undefined {
  switch (view) {
    case '':
      return parts.length === 0 ? { view: 'home' } : undefined
    case 'inbox':
    case 'recent':
    case 'drafts':
    case 'scheduled':
    case 'search':
      return { view }
    case 'narrow':
      return readNarrow(parts)
    case 'topics':
      return readTopics(parts)
    case 'streams':
      return readStreams(parts)
    case 'people':
      return readListed(parts, { view: 'people' }, (id) => ({ view: 'person', user_id: id as UserId }))
    case 'groups':
      return readListed(parts, { view: 'groups' }, (group_id) => ({ view: 'group', group_id }))
    case 'settings':
      return parts[0] ? withPage(pages.settings, parts[0], (page) => ({ view, page })) : { view }
    case 'organization':
      return withPage(pages.organization, parts[0], (page) => ({ view, page }))
    case 'help':
      return withPage(pages.help, parts[0], (page) => ({ view, page }))
    case 'bots': {
      const user_id = readId<UserId>(parts[0])
      if (user_id === undefined) return undefined
      return withPage(pages.bot, parts[1], (page) => ({ view: 'bot', user_id, page }))
    }
    default:
      return undefined
  }
}

/** Parses pairs of operator and operand. The last pairs may name the scroll position. */
function readNarrow(parts: readonly string[]): Route | undefined {
  const terms: Term[] = []
  const at: ListPosition = {}
  if (parts.length === 0) return undefined
  for (let index = 0; index < parts.length; index += 2) {
    const written = parts[index] ?? ''
    const operand = decodeHashComponent(parts[index + 1] ?? '')
    if (operand === undefined) return undefined
    const negated = written.startsWith('-')
    const name = negated ? written.slice(1) : written
    const operator = oldOperators.get(name) ?? name
    if (operator === 'near' || operator === 'with') {
      const near = readId<MessageId>(operand)
      if (near === undefined) return undefined
      at.near = near
    } else if (operator === 'date') {
      if (!/^\d{4}-\d\d-\d\d$/.test(operand)) return undefined
      at.date = operand
    } else {
      const term = readTerm(operator, operand)
      if (!term) return undefined
      terms.push(negated ? { ...term, negated } : term)
    }
  }
  return { view: 'narrow', terms, at }
}

function readTerm(operator: string, operand: string): Term | undefined {
  if (!Object.hasOwn(operandKinds, operator)) return undefined
  const name = operator as Exclude<keyof typeof operandKinds, 'near'>
  switch (name) {
    case 'stream':
      return { operator: name, operand: readStreamSlug(operand) }
    case 'pm-with':
    case 'group-pm-with':
    case 'sender':
      return { operator: name, operand: readPeopleSlug(operand) }
    case 'is':
      return { operator: name, operand: operand === 'dm' ? 'private' : operand }
    default:
      return { operator: name, operand }
  }
}

/** Parses `12-garden`. A slug without an id is read as the name of a stream. */
function readStreamSlug(slug: string): StreamSlug {
  const [, id, name = ''] = /^(\d+)(?:-(.*))?$/s.exec(slug) ?? []
  const stream_id = readId<StreamId>(id)
  return stream_id === undefined ? { name: slug } : { stream_id, name }
}

/** Parses `7,9-group`. A slug without ids is read as e-mail addresses. */
function readPeopleSlug(slug: string): PeopleSlug {
  const [, ids, label = ''] = /^(\d+(?:,\d+)*)(?:-(.*))?$/s.exec(slug) ?? []
  const user_ids = ids?.split(',').map((id) => readId<UserId>(id)) ?? []
  return user_ids.length > 0 && user_ids.every((id) => id !== undefined)
    ? { user_ids, label }
    : { user_ids: [], label: slug }
}

/** Parses `stream/12-garden`, as in the route of a stream's topics. */
function readTopics([operator = '', slug = '']: readonly string[]): Route | undefined {
  const decoded = decodeHashComponent(slug)
  if ((oldOperators.get(operator) ?? operator) !== 'stream' || !decoded) return undefined
  return { view: 'topics', stream: readStreamSlug(decoded) }
}

/** Parses `all`, or `12/garden/members`. */
function readStreams([first, slug = '', page]: readonly string[]): Route | undefined {
  const stream_id = readId<StreamId>(first)
  const name = decodeHashComponent(slug)
  if (stream_id === undefined || name === undefined)
    return withPage(pages.streams, first === 'subscribed' ? 'mine' : first, (pageName) => ({
      view: 'streams',
      page: pageName,
    }))
  return withPage(pages.stream, page, (pageName) => ({ view: 'stream', stream_id, name, page: pageName }))
}

function readListed([first]: readonly string[], list: Route, one: (id: number) => Route): Route | undefined {
  if (first === undefined || first === '') return list
  const id = readId<number>(first)
  return id === undefined ? undefined : one(id)
}

/** Returns the route of a page, by default of the first page. */
function withPage<Page extends string>(
  known: readonly [Page, ...Page[]],
  name: string | undefined,
  make: (page: Page) => Route,
): Route | undefined {
  if (name === undefined || name === '') return make(known[0])
  const page = known.find((pageName) => pageName === name)
  return page && make(page)
}

function readId<Id extends number>(text: string | undefined): Id | undefined {
  const id = /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0
  return id > 0 ? (id as Id) : undefined
}

/** Formats a route as the fragment of a URL, with `#`; empty for the home view. */
export function writeHash(route: Route): string {
  if (route.view === 'home') return ''
  if (route.view === 'unknown') return `#${route.hash}`
  return `#${writeParts(route).join('/')}`
}

function writeParts(route: Exclude<Route, { view: 'home' | 'unknown' }>): (string | number)[] {
  switch (route.view) {
    case 'narrow':
      return ['narrow', ...route.terms.flatMap(writeTerm), ...writeAt(route.at)]
    case 'topics':
      return ['topics', 'stream', encodeHashComponent(writeStreamSlug(route.stream))]
    case 'settings':
      return route.page === undefined ? [route.view] : [route.view, route.page]
    case 'streams':
    case 'organization':
    case 'help':
      return [route.view, route.page]
    case 'stream':
      return ['streams', route.stream_id, encodeHashComponent(route.name), route.page]
    case 'person':
      return ['people', route.user_id]
    case 'group':
      return ['groups', route.group_id]
    case 'bot':
      return ['bots', route.user_id, route.page]
    default:
      return [route.view]
  }
}

function writeTerm(term: Term): string[] {
  const operator = term.negated ? `-${term.operator}` : term.operator
  switch (term.operator) {
    case 'stream':
      return [operator, encodeHashComponent(writeStreamSlug(term.operand))]
    case 'pm-with':
    case 'group-pm-with':
    case 'sender':
      return [operator, encodePeople(term.operand)]
    default:
      return [operator, encodeHashComponent(term.operand)]
  }
}

function writeStreamSlug({ stream_id, name }: StreamSlug): string {
  const readable = name.replaceAll(' ', '-')
  if (stream_id === undefined) return name
  return readable === '' ? String(stream_id) : `${stream_id}-${readable}`
}

/** Commas between ids are not escaped, because people read and write such links. */
function encodePeople({ user_ids, label }: PeopleSlug): string {
  if (user_ids.length === 0) return encodeHashComponent(label)
  const ids = user_ids.join(',')
  return label === '' ? ids : `${ids}-${encodeHashComponent(label.replaceAll(' ', '-'))}`
}

const writeAt = ({ near, date }: ListPosition): (string | number)[] => [
  ...(near === undefined ? [] : ['near', near]),
  ...(date === undefined ? [] : ['date', date]),
]
