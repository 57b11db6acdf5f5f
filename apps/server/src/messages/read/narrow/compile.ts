import { ApiError, mergeNarrowTerms, type NarrowTerm, Role } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import { listAccountsByEmail } from '../../../accounts/find-by-email.ts'
import { listAccountsById } from '../../../accounts/queries.ts'
import type { App } from '../../../platform/app.ts'
import type { Db } from '../../../platform/database/database.ts'
import { canSee, toViewer } from '../../../streams/access.ts'
import { foldName, foldTopic } from '../../../streams/names.ts'
import { findStreamById, findStreamByName, type StreamWithMembership } from '../../../streams/queries.ts'
import { isReceived, isUnread, type Reader } from '../../visibility.ts'
import { isMuted } from './muting.ts'
import type { Narrow } from './narrow.ts'
import { findConversation } from './queries.ts'

interface Context {
  app: App
  db: Db
  reader: Reader
  narrow: Narrow
  term: NarrowTerm
}

type CompileOperator = (context: Context) => Promise<RawBuilder<boolean> | undefined>

export async function compileNarrow(
  app: App,
  db: Db,
  reader: Reader,
  terms: readonly NarrowTerm[],
): Promise<Narrow> {
  const narrow: Narrow = { conditions: [], includesHistory: false, about: {}, searches: [] }
  for (const term of mergeTerms(terms)) {
    const compile = operators.get(term.operator)
    if (!compile) throw buildNarrowError(`unknown operator ${term.operator}`)
    const condition = await compile({ app, db, reader, narrow, term })
    if (condition) narrow.conditions.push(term.negated ? sql<boolean>`not (${condition})` : condition)
  }
  // A reader has flags only of messages that they received.
  if (terms.some(({ operator }) => operator === 'is')) narrow.includesHistory = false
  return narrow
}

/** Normalizes operators, which older clients write with underscores, and merges equal terms. */
function mergeTerms(terms: readonly NarrowTerm[]): NarrowTerm[] {
  return mergeNarrowTerms(terms.map((term) => ({ ...term, operator: term.operator.replaceAll('_', '-') })))
}

function buildNarrowError(desc: string): ApiError {
  return new ApiError('BAD_NARROW', { desc })
}

const operators = new Map<string, CompileOperator>([
  ['stream', compileStream],
  ['streams', compileStreams],
  ['topic', compileTopic],
  ['sender', compileSender],
  ['pm-with', compilePmWith],
  ['group-pm-with', compileGroupPmWith],
  ['is', compileIs],
  ['has', compileHas],
  ['in', compileIn],
  ['near', async () => undefined],
  ['id', compileId],
  ['search', compileSearch],
])

async function compileStream({ db, reader, narrow, term }: Context) {
  const { operand, negated } = term
  const found =
    typeof operand === 'number'
      ? await findStreamById(db, reader, operand as never)
      : await findStreamByName(db, reader, foldName(String(operand)))
  if (!found || !isKnownStream(reader, found)) throw buildNarrowError(`unknown stream ${operand}`)
  narrow.namedStream = found
  if (!negated) {
    narrow.about.stream = found
    narrow.includesHistory = canReadHistory(reader, found)
  }
  return sql<boolean>`m.recipient_id = ${found.id}`
}

/**
 * Former subscribers know a stream, archived or not, because they keep what they received there.
 */
const isKnownStream = (reader: Reader, stream: StreamWithMembership): boolean =>
  stream.membership !== 'never' || canSee(stream, toViewer(reader, stream))

function canReadHistory({ role }: Reader, stream: StreamWithMembership): boolean {
  if (stream.archived_at) return false
  const isOpen = !stream.invite_only && role !== Role.guest
  return isOpen || (stream.history_public_to_subscribers && stream.membership === 'in')
}

async function compileStreams({ reader, narrow, term: { operand, negated } }: Context) {
  if (operand !== 'public') throw buildNarrowError(`unknown streams operand ${operand}`)
  if (!negated) {
    narrow.includesHistory = reader.role !== Role.guest
    narrow.about.isPublic = true
  }
  return sql<boolean>`(not m.is_private and exists (
    select from stream s
    where s.organization_id = m.organization_id and s.id = m.recipient_id and not s.invite_only))`
}

async function compileTopic({ narrow, term: { operand, negated } }: Context) {
  const folded = foldTopic(String(operand))
  if (!negated) narrow.about.topic = folded
  return sql<boolean>`m.folded_topic = ${folded}`
}

async function compileSender({ app, db, reader, narrow, term: { operand, negated } }: Context) {
  const account = await findAccount(app, db, reader, operand)
  if (!account) throw buildNarrowError(`unknown user ${operand}`)
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

async function compilePmWith({ app, db, reader, narrow, term: { operand, negated } }: Context) {
  const unknown = () => buildNarrowError(`unknown user in ${formatOperand(operand)}`)
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

const formatOperand = (operand: NarrowTerm['operand']) =>
  Array.isArray(operand) ? `[${operand.join(', ')}]` : String(operand)

async function compileGroupPmWith({ app, db, reader, narrow, term: { operand, negated } }: Context) {
  const account = await findAccount(app, db, reader, operand)
  if (!account) throw buildNarrowError(`unknown user ${operand}`)
  if (!negated) narrow.about.own ??= 'is_private'
  return sql<boolean>`(m.is_private and exists (
    select from conversation c
    where c.organization_id = m.organization_id and c.id = m.recipient_id
      and c.members @> ${[account.id, reader.user_id]}::bigint[] and cardinality(c.members) > 2
    -- Looked up row by row: planning twenty of these as joins would take PostgreSQL seconds.
    offset 0))`
}

async function compileIs({ reader, narrow, term: { operand, negated } }: Context) {
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
      throw buildNarrowError(`unknown 'is' operand ${operand}`)
  }
}

async function compileHas({ term: { operand } }: Context) {
  switch (operand) {
    case 'link':
      return sql<boolean>`m.has_link`
    case 'image':
      return sql<boolean>`m.has_image`
    case 'attachment':
      return sql<boolean>`m.has_attachment`
    default:
      throw buildNarrowError(`unknown 'has' operand ${operand}`)
  }
}

/** Ignores negation, as clients expect. */
async function compileIn({ reader, term: { operand }, narrow }: Context) {
  if (operand === 'all') return undefined
  if (operand !== 'home') throw buildNarrowError(`unknown 'in' operand ${operand}`)
  narrow.conditions.push(sql<boolean>`not ${isMuted(reader)}`)
  narrow.about.isHome = true
  return undefined
}

async function compileId({ narrow, term: { operand, negated } }: Context) {
  if (!/^\d{1,15}$/.test(String(operand))) throw buildNarrowError('Invalid message ID')
  const id = Number(operand)
  if (!negated) narrow.about.message = id
  return sql<boolean>`m.id = ${id}`
}

async function compileSearch({ narrow, term: { operand, negated } }: Context) {
  narrow.searches.push({ text: String(operand), negated })
  return undefined
}
