import { ApiError, mergeNarrowTerms, type NarrowTerm, Role } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../../platform/app.ts'
import type { Db } from '../../../platform/database/database.ts'
import { maySee, viewerOf } from '../../../streams/access.ts'
import { foldName, foldTopic } from '../../../streams/names.ts'
import { findStreamById, findStreamByName, type StreamWithMembership } from '../../../streams/queries.ts'
import { listAccountsByEmail, listAccountsById } from '../../accounts.ts'
import { isReceived, isUnread, type Reader } from '../../visibility.ts'
import { findConversation } from '../list-page.ts'
import { isHidden } from './muting.ts'

/** What a narrow asks for. */
export interface Narrow {
  /** On `m` and `own`; all of them hold for a message that fits. */
  conditions: RawBuilder<boolean>[]
  /** Whether more than what the reader received is looked at. */
  includesHistory: boolean
  /** What the messages have in common that an index knows; the walk begins with the best of these. */
  about: About
  /** What is looked for in the text of messages, which the conditions know nothing of. */
  searches: Search[]
  /** The stream that is named, if only to leave it out: first_unread treats muting otherwise there. */
  namedStream?: StreamWithMembership
}

export interface Search {
  text: string
  negated: boolean
}

export interface About {
  message?: number
  stream?: StreamWithMembership
  topic?: string
  sender?: number
  /** A conversation; null where there is none with these people. */
  conversation?: number | null
  own?: 'is_starred' | 'is_mentioned' | 'has_alert_word' | 'is_private'
  isUnread?: true
  isPublic?: true
  isHome?: true
}

interface Context {
  app: App
  db: Db
  reader: Reader
  narrow: Narrow
  term: NarrowTerm
}

type Compile = (context: Context) => Promise<RawBuilder<boolean> | undefined>

export async function compileNarrow(
  app: App,
  db: Db,
  reader: Reader,
  terms: readonly NarrowTerm[],
): Promise<Narrow> {
  const narrow: Narrow = { conditions: [], includesHistory: false, about: {}, searches: [] }
  for (const term of mergeTerms(terms)) {
    const compile = operators.get(term.operator)
    if (!compile) throw badNarrow(`unknown operator ${term.operator}`)
    const condition = await compile({ app, db, reader, narrow, term })
    if (condition) narrow.conditions.push(term.negated ? sql<boolean>`not (${condition})` : condition)
  }
  // What is someone's own exists only of what they received.
  if (terms.some(({ operator }) => operator === 'is')) narrow.includesHistory = false
  return narrow
}

/** Older clients write some operators with underscores. */
function mergeTerms(terms: readonly NarrowTerm[]): NarrowTerm[] {
  return mergeNarrowTerms(terms.map((term) => ({ ...term, operator: term.operator.replaceAll('_', '-') })))
}

function badNarrow(desc: string): ApiError {
  return new ApiError('BAD_NARROW', { desc })
}

const operators = new Map<string, Compile>([
  ['stream', stream],
  ['streams', streams],
  ['topic', topic],
  ['sender', sender],
  ['pm-with', pmWith],
  ['group-pm-with', groupPmWith],
  ['is', is],
  ['has', has],
  ['in', inside],
  ['near', async () => undefined],
  ['id', message],
  ['search', search],
])

async function stream({ db, reader, narrow, term }: Context) {
  const { operand, negated } = term
  const found =
    typeof operand === 'number'
      ? await findStreamById(db, reader, operand as never)
      : await findStreamByName(db, reader, foldName(String(operand)))
  if (!found || !isKnown(reader, found)) throw badNarrow(`unknown stream ${operand}`)
  narrow.namedStream = found
  if (!negated) {
    narrow.about.stream = found
    narrow.includesHistory = showsHistory(reader, found)
  }
  return sql<boolean>`m.recipient_id = ${found.id}`
}

/** Who was in a stream knows it, archived or not: they keep what they received there. */
const isKnown = (reader: Reader, stream: StreamWithMembership): boolean =>
  stream.membership !== 'never' || maySee(stream, viewerOf(reader, stream))

function showsHistory({ role }: Reader, stream: StreamWithMembership): boolean {
  if (stream.archived_at) return false
  const isOpen = !stream.invite_only && role !== Role.guest
  return isOpen || (stream.history_public_to_subscribers && stream.membership === 'in')
}

async function streams({ reader, narrow, term: { operand, negated } }: Context) {
  if (operand !== 'public') throw badNarrow(`unknown streams operand ${operand}`)
  if (!negated) {
    narrow.includesHistory = reader.role !== Role.guest
    narrow.about.isPublic = true
  }
  return sql<boolean>`(not m.is_private and exists (
    select from stream s
    where s.organization_id = m.organization_id and s.id = m.recipient_id and not s.invite_only))`
}

async function topic({ narrow, term: { operand, negated } }: Context) {
  const folded = foldTopic(String(operand))
  if (!negated) narrow.about.topic = folded
  return sql<boolean>`m.folded_topic = ${folded}`
}

async function sender({ app, db, reader, narrow, term: { operand, negated } }: Context) {
  const account = await findAccount(app, db, reader, operand)
  if (!account) throw badNarrow(`unknown user ${operand}`)
  if (!negated) narrow.about.sender = account.id
  return sql<boolean>`m.sender_id = ${account.id}`
}

async function findAccount(app: App, db: Db, { organization_id }: Reader, operand: NarrowTerm['operand']) {
  if (typeof operand === 'number') {
    const found = await listAccountsById(db, organization_id, [operand])
    return found.get(operand as never)
  }
  const email = String(operand)
  const found = await listAccountsByEmail(app.config, db, organization_id, [email])
  return found.get(email.toLowerCase())
}

async function pmWith({ app, db, reader, narrow, term: { operand, negated } }: Context) {
  const unknown = () => badNarrow(`unknown user in ${shown(operand)}`)
  const { organization_id, user_id } = reader
  const named = Array.isArray(operand) ? operand : String(operand).split(',')
  if (named.length === 0) throw unknown()
  const accounts = Array.isArray(operand)
    ? await listAccountsById(db, organization_id, operand)
    : await listAccountsByEmail(
        app.config,
        db,
        organization_id,
        named.map((email) => String(email).trim()),
      )
  const ids = named.map((one) => {
    const key = typeof one === 'number' ? one : one.trim().toLowerCase()
    const account = (accounts as ReadonlyMap<unknown, { id: number }>).get(key)
    if (!account) throw unknown()
    return account.id
  })
  const members = [...new Set([...ids, user_id])].sort((a, b) => a - b)
  const conversation = (await findConversation(db, organization_id, members)) ?? null
  if (!negated) narrow.about.conversation = conversation
  return conversation === null ? sql<boolean>`false` : sql<boolean>`m.recipient_id = ${conversation}`
}

const shown = (operand: NarrowTerm['operand']) =>
  Array.isArray(operand) ? `[${operand.join(', ')}]` : String(operand)

async function groupPmWith({ app, db, reader, narrow, term: { operand, negated } }: Context) {
  const account = await findAccount(app, db, reader, operand)
  if (!account) throw badNarrow(`unknown user ${operand}`)
  if (!negated) narrow.about.own ??= 'is_private'
  return sql<boolean>`(m.is_private and exists (
    select from conversation c
    where c.organization_id = m.organization_id and c.id = m.recipient_id
      and c.members @> ${[account.id, reader.user_id]}::bigint[] and cardinality(c.members) > 2
    -- Looked up row by row: planned as joins, twenty of these would take PostgreSQL seconds to order.
    offset 0))`
}

async function is({ reader, narrow, term: { operand, negated } }: Context) {
  const { about } = narrow
  switch (operand) {
    case 'private':
      if (!negated) about.own ??= 'is_private'
      return sql<boolean>`m.is_private`
    case 'starred':
      if (!negated) about.own = 'is_starred'
      return sql<boolean>`coalesce(own.is_starred, false)`
    case 'unread':
      if (!negated) about.isUnread = true
      return isUnread(reader)
    case 'mentioned':
      if (!negated) about.own = 'is_mentioned'
      return sql<boolean>`(coalesce(own.is_mentioned, false) or (m.mentions_wildcard and ${isReceived(reader)}))`
    case 'alerted':
      if (!negated) about.own = 'has_alert_word'
      return sql<boolean>`coalesce(own.has_alert_word, false)`
    default:
      throw badNarrow(`unknown 'is' operand ${operand}`)
  }
}

async function has({ term: { operand } }: Context) {
  switch (operand) {
    case 'link':
      return sql<boolean>`m.has_link`
    case 'image':
      return sql<boolean>`m.has_image`
    case 'attachment':
      return sql<boolean>`m.has_attachment`
    default:
      throw badNarrow(`unknown 'has' operand ${operand}`)
  }
}

/** Whether it is negated makes no difference, as clients know it. */
async function inside({ reader, term: { operand }, narrow }: Context) {
  if (operand === 'all') return undefined
  if (operand !== 'home') throw badNarrow(`unknown 'in' operand ${operand}`)
  narrow.conditions.push(sql<boolean>`not ${isHidden(reader)}`)
  narrow.about.isHome = true
  return undefined
}

async function message({ narrow, term: { operand, negated } }: Context) {
  if (!/^\d{1,15}$/.test(String(operand))) throw badNarrow('Invalid message ID')
  const id = Number(operand)
  if (!negated) narrow.about.message = id
  return sql<boolean>`m.id = ${id}`
}

async function search({ narrow, term: { operand, negated } }: Context) {
  narrow.searches.push({ text: String(operand), negated })
  return undefined
}
