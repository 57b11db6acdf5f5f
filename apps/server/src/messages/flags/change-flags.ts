import {
  ApiError,
  type api,
  type EditableFlag,
  editableFlags,
  messageFlags,
  type ParamsOf,
  type ResponseOf,
} from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { emitFlags, emitUnread } from './events.ts'
import { lockReadState, type ReadState } from './lock-read-state.ts'
import { markPrivate, markRead, markUnread } from './marks.ts'
import {
  canRead,
  listReceived,
  listReceivedWithDetails,
  lockMessages,
  type OwnFlag,
  type ReceivedMessage,
  setFlag,
  starUnreceived,
  unsetFlag,
} from './queries.ts'

type ChangeFlags = typeof api.messages.changeFlags
type Operation = ParamsOf<ChangeFlags>['op']

/** Flags that earlier versions of the protocol had. They are valid names, but cannot be changed. */
const obsoleteFlags = ['summarize_in_home', 'summarize_in_stream', 'force_expand', 'force_collapse']
const knownFlags: readonly string[] = [...messageFlags, ...obsoleteFlags]

function checkFlag(flag: string): EditableFlag {
  const found = editableFlags.find((editable) => editable === flag)
  if (found) return found
  throw new ApiError(knownFlags.includes(flag) ? 'FLAG_NOT_EDITABLE' : 'INVALID_FLAG', { flag })
}

/**
 * Changes a flag. Messages that the account did not receive are skipped and are not in the event,
 * but the response lists all requested ids. Refused if the account received none of the messages,
 * except that a single readable message can be starred.
 */
export async function changeFlags(
  app: App,
  actor: Actor,
  { messages, op, flag: flagName }: ParamsOf<ChangeFlags>,
): Promise<ResponseOf<ChangeFlags>> {
  const flag = checkFlag(flagName)
  return writeAs(app, actor, async (tx) => {
    const state = await lockReadState(app, tx, actor)
    if (flag === 'read') await changeReadFlag(tx, actor, state, op, messages)
    else await changeOwnFlag(tx, actor, op, flag, messages)
    return { messages }
  })
}

async function changeReadFlag(
  tx: Tx,
  actor: Actor,
  state: ReadState,
  op: Operation,
  messageIds: readonly number[],
): Promise<void> {
  if (op === 'add') {
    const received = requireSome(await listReceived(tx, actor, messageIds))
    const [privates, others] = splitByKind(received.filter((message) => message.is_unread))
    await markPrivate(tx, actor, getIds(privates), false)
    await markRead(tx, actor, state, others)
    return emitFlags(tx, actor, op, 'read', keepIdsOf(messageIds, received))
  }
  await lockMessages(tx, actor, messageIds)
  const received = requireSome(await listReceivedWithDetails(tx, actor, messageIds))
  const unread = received.filter((message) => message.can_be_unread)
  const [privates, others] = splitByKind(unread.filter((message) => !message.is_unread))
  await markPrivate(tx, actor, getIds(privates), true)
  await markUnread(tx, actor, state, others)
  emitUnread(tx, actor, keepIdsOf(messageIds, received), unread)
}

async function changeOwnFlag(
  tx: Tx,
  actor: Actor,
  op: Operation,
  flag: Exclude<EditableFlag, 'read'>,
  messageIds: readonly number[],
): Promise<void> {
  const received = await listReceived(tx, actor, messageIds)
  if (received.length === 0) await changeStarOfUnreceived(tx, actor, op, flag, messageIds)
  const column: OwnFlag = flag === 'starred' ? 'is_starred' : 'is_collapsed'
  if (op === 'remove') await unsetFlag(tx, actor, getIds(received), column)
  const existing = op === 'add' ? await setFlag(tx, actor, getIds(received), column) : undefined
  const changed = received.filter(({ id }) => existing?.has(id) ?? true)
  emitFlags(tx, actor, op, flag, received.length === 0 ? messageIds : keepIdsOf(messageIds, changed))
}

/**
 * Stars a message that the account can read but did not receive. Unstarring one changes nothing.
 * Refuses other flags and requests with several messages.
 */
async function changeStarOfUnreceived(
  tx: Tx,
  actor: Actor,
  op: Operation,
  flag: EditableFlag,
  [id, ...others]: readonly number[],
): Promise<void> {
  const isSingle = id !== undefined && others.length === 0
  const isAllowed =
    flag === 'starred' && isSingle && (await (op === 'add' ? starUnreceived : canRead)(tx, actor, id))
  if (!isAllowed) throw new ApiError('INVALID_MESSAGE')
}

function requireSome<Message>(received: Message[]): Message[] {
  if (received.length === 0) throw new ApiError('INVALID_MESSAGE')
  return received
}

function splitByKind(messages: readonly ReceivedMessage[]): [ReceivedMessage[], ReceivedMessage[]] {
  return [messages.filter(({ is_private }) => is_private), messages.filter(({ is_private }) => !is_private)]
}

const getIds = (messages: readonly ReceivedMessage[]) => messages.map(({ id }) => id as number)

/** Filters `messageIds` to the ids of `messages`, keeping their order and duplicates. */
function keepIdsOf(messageIds: readonly number[], messages: readonly ReceivedMessage[]): readonly number[] {
  if (messages.length === messageIds.length) return messageIds
  const ids = new Set(getIds(messages))
  return messageIds.filter((id) => ids.has(id))
}
