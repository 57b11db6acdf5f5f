import { ApiError, type api, type EditableFlag, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { tellFlags, tellUnread } from './events.ts'
import { checkFlag } from './flag-names.ts'
import { holdReadState, type ReadState } from './hold-read-state.ts'
import { markPrivate, markRead, markUnread } from './marks.ts'
import {
  holdMessages,
  listReceived,
  listReceivedWithPlace,
  mayRead,
  type OwnFlag,
  type ReceivedMessage,
  setFlag,
  starHistory,
  unsetFlag,
} from './queries.ts'

type ChangeFlags = typeof api.messages.changeFlags
type Operation = ParamsOf<ChangeFlags>['op']

/** Messages that the account did not receive are passed over, and not told of either; the answer has all that were given. */
export async function changeFlags(
  app: App,
  actor: Actor,
  { messages, op, flag: given }: ParamsOf<ChangeFlags>,
): Promise<ResponseOf<ChangeFlags>> {
  const flag = checkFlag(given)
  return writeAs(app, actor, async (tx) => {
    const state = await holdReadState(app, tx, actor)
    if (flag === 'read') await changeRead(tx, actor, state, op, messages)
    else await changeOwn(tx, actor, op, flag, messages)
    return { messages }
  })
}

async function changeRead(
  tx: Tx,
  actor: Actor,
  state: ReadState,
  op: Operation,
  given: readonly number[],
): Promise<void> {
  if (op === 'add') {
    const received = refuseNone(await listReceived(tx, actor, given))
    const [privates, others] = byKind(received.filter((message) => message.is_unread))
    await markPrivate(tx, actor, idsOf(privates), false)
    await markRead(tx, actor, state, others)
    return tellFlags(tx, actor, op, 'read', those(given, received))
  }
  await holdMessages(tx, actor, given)
  const received = refuseNone(await listReceivedWithPlace(tx, actor, given))
  const unread = received.filter((message) => message.can_be_unread)
  const [privates, others] = byKind(unread.filter((message) => !message.is_unread))
  await markPrivate(tx, actor, idsOf(privates), true)
  await markUnread(tx, actor, state, others)
  tellUnread(tx, actor, those(given, received), unread)
}

async function changeOwn(
  tx: Tx,
  actor: Actor,
  op: Operation,
  flag: Exclude<EditableFlag, 'read'>,
  given: readonly number[],
): Promise<void> {
  const received = await listReceived(tx, actor, given)
  if (received.length === 0) await changeStarOfHistory(tx, actor, op, flag, given)
  const column: OwnFlag = flag === 'starred' ? 'is_starred' : 'is_collapsed'
  if (op === 'remove') await unsetFlag(tx, actor, idsOf(received), column)
  const left = op === 'add' ? await setFlag(tx, actor, idsOf(received), column) : undefined
  const changed = received.filter(({ id }) => left?.has(id) ?? true)
  tellFlags(tx, actor, op, flag, received.length === 0 ? given : those(given, changed))
}

/** What never came to them can be starred, one by one. */
async function changeStarOfHistory(
  tx: Tx,
  actor: Actor,
  op: Operation,
  flag: EditableFlag,
  [id, ...others]: readonly number[],
): Promise<void> {
  const isOne = id !== undefined && others.length === 0
  const isAllowed =
    flag === 'starred' && isOne && (await (op === 'add' ? starHistory : mayRead)(tx, actor, id))
  if (!isAllowed) throw new ApiError('INVALID_MESSAGE')
}

function refuseNone<Message>(received: Message[]): Message[] {
  if (received.length === 0) throw new ApiError('INVALID_MESSAGE')
  return received
}

function byKind(messages: readonly ReceivedMessage[]): [ReceivedMessage[], ReceivedMessage[]] {
  return [messages.filter(({ is_private }) => is_private), messages.filter(({ is_private }) => !is_private)]
}

const idsOf = (messages: readonly ReceivedMessage[]) => messages.map(({ id }) => id as number)

/** As they were given. */
function those(given: readonly number[], messages: readonly ReceivedMessage[]): readonly number[] {
  if (messages.length === given.length) return given
  const ids = new Set(idsOf(messages))
  return given.filter((id) => ids.has(id))
}
