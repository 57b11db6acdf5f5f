import { ApiError, type api, type ParamsOf, type TypingEvent, typingOperations } from '@oxbow/contract'
import { passOn } from '../events/pass-on.ts'
import { type Account, listAccountsById } from '../messages/accounts.ts'
import { displayEmail } from '../organization/display-email.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'

/** Those of one conversation, as for messages. */
const mostPeople = 1_000
/** Milliseconds after which nobody wants to know any more. */
const lifetime = 30_000

export async function tellTyping(
  app: App,
  actor: Actor,
  { op, to }: ParamsOf<typeof api.typing.tell>,
): Promise<Record<never, never>> {
  if (to.length === 0) throw new ApiError('TYPING_TO_NOBODY')
  if (!isOperation(op)) throw new ApiError('TYPING_OPERATION_INVALID')
  if (to.length > mostPeople) throw new ApiError('MESSAGE_RECIPIENTS_TOO_MANY', { limit: mostPeople })
  const { organization_id, user_id } = actor
  const ids = [...new Set([...to, user_id])]
  const accounts = await listAccountsById(app.db, organization_id, ids)
  const people = ids.map((id) => accounts.get(id) ?? refuse(id))
  const view = (account: Account) => ({ user_id: account.id, email: displayEmail(app.config, account) })
  const event: Omit<TypingEvent, 'id'> = {
    type: 'typing',
    op,
    sender: view(accounts.get(user_id) ?? refuse(user_id)),
    recipients: people.map(view),
  }
  const users = people.filter(({ is_active }) => is_active).map(({ id }) => id)
  await passOn(app.db, { organization_id, event, to: { users }, until: Date.now() + lifetime })
  return {}
}

const isOperation = (op: string): op is TypingEvent['op'] => typingOperations.some((known) => known === op)

function refuse(id: number): never {
  throw new ApiError('RECIPIENT_ID_INVALID', { id })
}
