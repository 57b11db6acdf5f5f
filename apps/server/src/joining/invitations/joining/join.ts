import { ApiError, type UserId } from '@oxbow/contract'
import { startSession } from '../../../identity/sessions.ts'
import { addUser } from '../../../people/users/create-user.ts'
import { checkFullName } from '../../../people/users/full-name.ts'
import type { Caller } from '../../../platform/actor.ts'
import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { lockRoles } from '../../../platform/database/locks.ts'
import type { UserRow } from '../../../platform/database/tables.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { isStrongPassword } from '../../../sign-in/password-strength.ts'
import { notice, silentMention } from '../../../streams/notice-text.ts'
import { enqueueNotices } from '../../../streams/notices.ts'
import { emitInvitesChanged } from '../change-invitations.ts'
import {
  findOpenTicket,
  findTicketToShow,
  type OpenTicket,
  type PresentedKey,
  type TicketRefusal,
} from './find-open-ticket.ts'
import { listFirstStreams } from './first-streams.ts'
import { endOtherTickets, getInviter, type Inviter, insertInvitedUser } from './queries.ts'

/** Values of the sign-up form. */
export interface Introduction {
  full_name: string
  password: string
  /** Ids of the chosen groups of default streams. */
  groups: ReadonlySet<number>
  hasAcceptedTerms: boolean
}

export type NameProblem =
  | 'account.name_too_short'
  | 'account.name_too_long'
  | 'account.name_characters'
  | 'account.name_format'

/** Keys of the texts that explain why a field was refused. */
export interface Problems {
  full_name?: NameProblem
  password?: 'account.password_weak'
  terms?: 'account.terms_missing'
}

/** Outcome of a submitted form. `token` belongs to the session in which the new user is signed in. */
export type Outcome = { token: string; user_id: UserId } | { problems: Problems } | { refused: TicketRefusal }

/**
 * Creates the account and signs its owner in. Checks the key before it hashes the password, which is
 * expensive.
 */
export async function join(
  app: App,
  caller: Caller,
  presented: PresentedKey,
  introduction: Introduction,
): Promise<Outcome> {
  const found = await findTicketToShow(app, app.db, presented)
  if (typeof found === 'string') return { refused: found }
  const problems = await findProblems(app, introduction)
  if (Object.keys(problems).length > 0) return { problems }
  const password_hash = await app.passwords.hash(introduction.password)

  return inTransaction(app.db, async (tx): Promise<Outcome> => {
    await lockRoles(tx, found.organization.id, 'exclusive')
    // If several requests with the same key run concurrently, only the first one finds the ticket
    // open.
    const stillOpen = await findOpenTicket(app, tx, presented)
    if (typeof stillOpen === 'string') return { refused: stillOpen }
    const { organization_id, id: user_id } = await accept(app, tx, stillOpen, introduction, password_hash)
    return {
      token: await startSession(tx, app, { organization_id, user_id, caller, isTrusted: false }),
      user_id,
    }
  })
}

async function accept(
  app: App,
  tx: Tx,
  { ticket, organization }: OpenTicket,
  introduction: Introduction,
  password_hash: string,
): Promise<UserRow> {
  const { organization_id, email, role, invited_by } = ticket
  const full_name = checkFullName(introduction.full_name)
  const streams = await listFirstStreams(tx, ticket, introduction.groups)
  const user = await addUser(app, tx, organization, { email, full_name, role, password_hash }, streams)
  await endOtherTickets(tx, organization_id, email)
  if (invited_by === null) return user
  await insertInvitedUser(tx, { organization_id, user_id: user.id, invited_by })
  await enqueueAcceptanceNotice(tx, user, await getInviter(tx, organization_id, invited_by))
  emitInvitesChanged(tx, organization_id)
  return user
}

async function findProblems(app: App, introduction: Introduction): Promise<Problems> {
  const name = findNameProblem(introduction.full_name)
  const isStrong = await isStrongPassword(app, introduction.password)
  return {
    ...(name && { full_name: name }),
    ...(!isStrong && { password: 'account.password_weak' }),
    ...(app.config.terms_url && !introduction.hasAcceptedTerms && { terms: 'account.terms_missing' }),
  }
}

/** Returns the key of the text that explains why a name is refused. */
export function findNameProblem(full_name: string): NameProblem | undefined {
  try {
    checkFullName(full_name)
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.is('NAME_TOO_SHORT')) return 'account.name_too_short'
    if (error.is('NAME_TOO_LONG')) return 'account.name_too_long'
    return error.is('NAME_INVALID_FORMAT') ? 'account.name_format' : 'account.name_characters'
  }
}

/** Notifies the inviter that the invitation was accepted, unless the inviter is a bot. */
async function enqueueAcceptanceNotice(tx: Tx, user: UserRow, inviter: Inviter): Promise<void> {
  if (inviter.bot_type !== null) return
  const content = notice`${silentMention(user)} accepted your invitation to join.`
  await enqueueNotices(tx, user.organization_id, user, [{ users: [inviter.id], content }])
}
