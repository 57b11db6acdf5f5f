import {
  ApiError,
  type api,
  type ParamsOf,
  type TypingEvent,
  typingOperations,
  type UserId,
} from '@oxbow/contract'
import { emitEphemeral } from '../../events/emit-ephemeral.ts'
import { displayEmail } from '../../identity/accounts/public-account.ts'
import type { Account } from '../../identity/accounts/queries.ts'
import { listSeenAccountsByEmail, listSeenAccountsById } from '../../identity/accounts/sight.ts'
import { decideConversation } from '../../messages/send/check-destination.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'

/** Equal to the limit for private messages. */
const maxRecipients = 1_000
/** Time after which a typing notification is no longer delivered. */
const lifetimeMs = 30_000

export async function sendTypingNotification(
  app: App,
  actor: Actor,
  { op, to: rawRecipients }: ParamsOf<typeof api.typing.tellShort>,
): Promise<Record<never, never>> {
  const to = typeof rawRecipients === 'string' ? [rawRecipients] : rawRecipients
  if (to.length === 0) throw new ApiError('TYPING_TO_NOBODY')
  if (!isOperation(op)) throw new ApiError('TYPING_OPERATION_INVALID')
  if (to.length > maxRecipients) throw new ApiError('MESSAGE_RECIPIENTS_TOO_MANY', { limit: maxRecipients })
  const { organization_id, user_id } = actor
  const ids = [...new Set([...(await resolveIds(app, actor, to)), user_id])]
  const accounts = await listSeenAccountsById(app.db, actor, ids)
  const people = ids.map((id) => accounts.get(id) ?? refuseUnknownId(id))
  const sender = accounts.get(user_id) ?? refuseUnknownId(user_id)
  const organization = await getOrganization(app.db, organization_id)
  // Only the organization's policy can refuse a notification. Deactivated recipients cause no error
  // and get no event.
  const { rule } = decideConversation({ organization }, sender, people)
  if (rule === 'private_messages_disabled') throw new ApiError('PRIVATE_MESSAGES_DISABLED')
  const view = (account: Account) => ({ user_id: account.id, email: displayEmail(app.config, account) })
  const event: Omit<TypingEvent, 'id'> = {
    type: 'typing',
    op,
    sender: view(sender),
    recipients: people.map(view),
  }
  const users = people.filter(({ is_active }) => is_active).map(({ id }) => id)
  await emitEphemeral(app.db, { organization_id, event, to: { users }, until: Date.now() + lifetimeMs })
  return {}
}

/** Returns the ids of the accounts in `to`, which contains either only ids or only display addresses. */
async function resolveIds(
  { config, db }: App,
  actor: Actor,
  to: readonly (UserId | string)[],
): Promise<UserId[]> {
  const emails = to.filter((item) => typeof item === 'string')
  if (emails.length === 0) return to as UserId[]
  if (emails.length < to.length) throw new ApiError('RECIPIENTS_MIXED')
  const found = await listSeenAccountsByEmail(config, db, actor, emails)
  return emails.map((email) => {
    const account = found.get(email.toLowerCase())
    if (!account) throw new ApiError('RECIPIENT_EMAIL_INVALID', { email })
    return account.id
  })
}

const isOperation = (op: string): op is TypingEvent['op'] =>
  typingOperations.some((operation) => operation === op)

function refuseUnknownId(id: number): never {
  throw new ApiError('RECIPIENT_ID_INVALID', { id })
}
