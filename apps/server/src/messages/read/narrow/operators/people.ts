import { createHash } from 'node:crypto'
import type { OrganizationId } from '@oxbow/contract'
import { getSenderTerm } from '@oxbow/search'
import { sql } from 'kysely'
import { listSeenAccountsByEmail, listSeenAccountsById } from '../../../../identity/accounts/sight.ts'
import type { Db } from '../../../../platform/database/database.ts'
import { listOneLocation, selectConversations } from '../../../search/search-locations.ts'
import { buildNarrowError, equalsIgnoringCase, type NarrowOperator, type TermContext } from '../operator.ts'

/** Matches messages by their sender, given by e-mail address or id. */
export const sender: NarrowOperator = {
  async compile(context) {
    const { id } = await getAccount(context)
    return {
      condition: sql`m.sender_id = ${id}`,
      indexHints: { sender: id },
      search: { words: [getSenderTerm(id)] },
    }
  },
  matchesEvent: ({ sender_email }, _flags, email) => equalsIgnoringCase(sender_email, email),
}

async function getAccount({ app, db, reader, operand }: TermContext) {
  const account =
    typeof operand === 'number'
      ? (await listSeenAccountsById(db, reader, [operand])).get(operand as never)
      : (await listSeenAccountsByEmail(app.config, db, reader, [String(operand)])).get(
          String(operand).toLowerCase(),
        )
  if (!account) throw buildNarrowError(`unknown user ${operand}`)
  return account
}

/** Matches messages of the conversation with exactly these people, given by e-mail addresses or ids. */
export const pmWith: NarrowOperator = {
  async compile(context) {
    const { db, reader } = context
    const members = [...new Set([...(await listNamedIds(context)), reader.user_id])].sort((a, b) => a - b)
    const conversation = (await findConversation(db, reader.organization_id, members)) ?? null
    const condition =
      conversation === null ? sql<boolean>`false` : sql<boolean>`m.recipient_id = ${conversation}`
    return {
      condition,
      indexHints: { conversation, conversationCondition: condition },
      search: { locations: conversation === null ? [] : listOneLocation(conversation) },
    }
  },
}

async function listNamedIds({ app, db, reader, operand }: TermContext): Promise<number[]> {
  const unknown = () => buildNarrowError(`unknown user in ${formatOperand(operand)}`)
  const named = Array.isArray(operand) ? operand : String(operand).split(',')
  if (named.length === 0) throw unknown()
  const accounts = Array.isArray(operand)
    ? await listSeenAccountsById(db, reader, operand)
    : await listSeenAccountsByEmail(
        app.config,
        db,
        reader,
        named.map((email) => String(email).trim()),
      )
  return named.map((nameOrId) => {
    const key = typeof nameOrId === 'number' ? nameOrId : nameOrId.trim().toLowerCase()
    const account = (accounts as ReadonlyMap<unknown, { id: number }>).get(key)
    if (!account) throw unknown()
    return account.id
  })
}

const formatOperand = (operand: TermContext['operand']) =>
  Array.isArray(operand) ? `[${operand.join(', ')}]` : String(operand)

/** Matches messages of all conversations of at least three people that include this user. */
export const groupPmWith: NarrowOperator = {
  async compile(context) {
    const { id } = await getAccount(context)
    return {
      condition: sql`(m.is_private and exists (
        select from conversation c
        where c.organization_id = m.organization_id and c.id = m.recipient_id
          and c.members @> ${[id, context.reader.user_id]}::bigint[] and cardinality(c.members) > 2
        -- Makes PostgreSQL check row by row: planning twenty of these as joins would take seconds.
        offset 0))`,
      indexHints: { isPrivate: true },
      search: { locations: selectConversations },
    }
  },
}

/** Finds the conversation of exactly these people, whose ids must be sorted. */
async function findConversation(
  db: Db,
  organization_id: OrganizationId,
  members: readonly number[],
): Promise<number | undefined> {
  const members_digest = createHash('sha256').update(members.join()).digest()
  const found = await db
    .selectFrom('conversation')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('members_digest', '=', members_digest)
    .executeTakeFirst()
  return found?.id
}
