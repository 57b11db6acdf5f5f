import { type Periods, readPeriods, subscribersAt } from './due-records.ts'
import { type EventLog, type Hole, isInHole, type LoggedRecord, type Query, readLog } from './event-log.ts'
import type { LedgerClient, LedgerSection } from './ledger-client.ts'
import { createStateFilter, type QueueCut } from './queue-cuts.ts'
import type { Recipient } from './recipients.ts'
import type { SendHistory } from './send-history.ts'
import type { Send } from './senders.ts'

export interface MessageCheck {
  sends: number
  acknowledged: number
  attempts: number
  /** Number of required message deliveries to queues. */
  deliveries: number
  /**
   * Acknowledged sends whose commits were lost with the primary, because the standby did not have
   * them yet.
   */
  lostInFailover: number
  unacknowledged: number
  lost: number
  /** Sends that stored more than one message, acknowledged or not. */
  storedTwice: number
  /** Sends that were acknowledged with another id than that of the stored message. */
  renumbered: number
  /** Messages that are not in the log exactly once, and messages in the log that are not stored. */
  logMismatches: number
  missing: number
  deliveredTwice: number
  /**
   * Deliveries in another order than the log, or whose event number another client received with
   * another message.
   */
  disorder: number
  /** Deliveries to accounts that may not receive the message. */
  unexpected: number
}

export interface SentMessage {
  id: number
  send: Send
  /** User ids of the accounts that received the message when it was sent. */
  readers: ReadonlySet<number>
}

/**
 * Compares the acknowledgements that senders got, the stored messages, and the messages that
 * clients received. The expected readers follow from the members of the stream or conversation, not
 * from the audience in the log.
 */
export async function checkMessages(
  query: Query,
  history: SendHistory,
  clients: readonly LedgerClient[],
  cuts: ReadonlyMap<string, QueueCut>,
  upTo: number,
): Promise<{ check: MessageCheck; messages: SentMessage[] }> {
  const check: MessageCheck = {
    sends: 0,
    acknowledged: 0,
    attempts: 0,
    deliveries: 0,
    lostInFailover: 0,
    unacknowledged: 0,
    lost: 0,
    storedTwice: 0,
    renumbered: 0,
    logMismatches: 0,
    missing: 0,
    deliveredTwice: 0,
    disorder: 0,
    unexpected: 0,
  }
  const sections = clients.flatMap((client) => client.sections)
  const log = await readLog(query, Math.min(...sections.map((section) => section.after)), upTo)
  const unchecked = new Set(history.unchecked())
  const found = await readStored(query, history.sends)
  checkSends(check, history, found)
  const logged = readLogged(log, unchecked, await readPeriods(query))
  const loggedById = new Map(logged.map((message) => [message.id, message]))
  const messages = found.flatMap(({ id, send }) =>
    unchecked.has(send) ? { id, send, readers: loggedById.get(id)?.readers ?? new Set<number>() } : [],
  )
  checkLogged(check, messages, logged)
  const contents = new Set(history.sends.map(({ content }) => content))
  checkReaders(check, { sections, cuts, logged, contents, holes: log.holes, upTo })
  return { check, messages }
}

type StoredMessage = Pick<SentMessage, 'id' | 'send'>

async function readStored(query: Query, sends: readonly Send[]): Promise<StoredMessage[]> {
  const byContent = new Map(sends.map((send) => [send.content, send]))
  const rows = await query<{ id: number; content: string }>(
    'select id::float8, content from message order by id',
  )
  return rows.flatMap(({ id, content }) => {
    const send = byContent.get(content)
    return send ? { id, send } : []
  })
}

/** Checks new sends, and that sends which were checked before still have the same number of messages. */
function checkSends(check: MessageCheck, history: SendHistory, found: readonly StoredMessage[]): void {
  const bySend = Map.groupBy(found, ({ send }) => send)
  for (const send of history.sends) {
    const ids = bySend.get(send)?.map(({ id }) => id) ?? []
    const before = history.countBefore(send)
    history.setCount(send, ids.length)
    if (before === undefined) checkSend(check, history, send, ids)
    else if (ids.length > before) check.storedTwice++
    else if (ids.length < before) check.lost++
  }
}

function checkSend(check: MessageCheck, history: SendHistory, send: Send, ids: readonly number[]): void {
  const { acknowledgements, attempts } = send
  const certain = acknowledgements.filter((acknowledgement) => !history.mayBeLost(acknowledgement))
  check.sends++
  check.attempts += attempts
  if (acknowledgements.length > 0) check.acknowledged++
  else check.unacknowledged++
  if (ids.length > 1) check.storedTwice++
  if (ids.length === 0 && certain.length > 0) check.lost++
  if (ids.length === 0 && acknowledgements.length > 0 && certain.length === 0) check.lostInFailover++
  const acknowledgedIds = new Set(certain.map(({ id }) => id))
  if (acknowledgedIds.size > 1 || (ids.length > 0 && !acknowledgedIds.isSubsetOf(new Set(ids))))
    check.renumbered++
}

interface LoggedMessage extends SentMessage {
  record: LoggedRecord
}

/** Returns the messages of these sends that are in the log, in the order of the log. */
function readLogged({ records }: EventLog, sends: ReadonlySet<Send>, periods: Periods): LoggedMessage[] {
  const byContent = new Map([...sends].map((send) => [send.content, send]))
  return records.flatMap((record) => {
    if (record.header.type !== 'message') return []
    const { id, content } = record.event.message as { id: number; content: string }
    const send = byContent.get(content)
    return send ? { record, id, send, readers: readersOf(send.recipient, record, periods) } : []
  })
}

function readersOf(
  { hasChangingMembers, form, members }: Recipient,
  { outboxId }: LoggedRecord,
  periods: Periods,
): Set<number> {
  if (hasChangingMembers) return subscribersAt(periods, Number(form.to), outboxId)
  return new Set(members.map(({ user_id }) => user_id))
}

function checkLogged(
  check: MessageCheck,
  messages: readonly SentMessage[],
  logged: readonly LoggedMessage[],
): void {
  const times = Map.groupBy(logged, ({ id }) => id)
  const existing = new Set(messages.map(({ id }) => id))
  check.logMismatches += messages.filter(({ id }) => times.get(id)?.length !== 1).length
  check.logMismatches += logged.filter(({ id }) => !existing.has(id)).length
}

interface Deliveries {
  sections: readonly LedgerSection[]
  cuts: ReadonlyMap<string, QueueCut>
  logged: readonly LoggedMessage[]
  /** Contents of all sends. Messages with other contents are ignored. */
  contents: ReadonlySet<string>
  holes: Hole[]
  upTo: number
}

function checkReaders(
  check: MessageCheck,
  { sections, cuts, logged, contents, holes, upTo }: Deliveries,
): void {
  const positions = new Map(logged.map(({ id }, index) => [id, index]))
  const messageOf = createMessageReader()
  const numbered = new Map<number, number>()
  for (const section of sections) {
    const cut = cuts.get(section.queue_id)
    // `checkLedgers` reports queues without a known row.
    if (!cut) continue
    const end = section.isDead ? (section.entries.at(-1)?.id ?? section.after) : upTo
    const isInState = createStateFilter(cut)
    const due = logged.filter(
      (message) =>
        message.record.seq > section.after &&
        message.record.seq <= end &&
        !isInState(message.record) &&
        isFor(message, cut),
    )
    const deliveredIds: number[] = []
    for (const { id: number, body } of section.entries) {
      const message = number <= upTo ? messageOf(body) : undefined
      if (!message) continue
      if ((numbered.get(number) ?? message.id) !== message.id) check.disorder++
      numbered.set(number, message.id)
      // A queue that ended with the failover may have delivered events of the lost database.
      if (section.isDead && isInHole(holes, number)) continue
      if (contents.has(message.content)) deliveredIds.push(message.id)
    }
    check.deliveries += due.length
    checkSeen(check, new Set(due.map(({ id }) => id)), deliveredIds, positions)
  }
}

function checkSeen(
  check: MessageCheck,
  due: ReadonlySet<number>,
  deliveredIds: readonly number[],
  positions: ReadonlyMap<number, number>,
): void {
  const distinctIds = new Set(deliveredIds)
  check.deliveredTwice += deliveredIds.length - distinctIds.size
  check.missing += due.difference(distinctIds).size
  check.unexpected += distinctIds.difference(due).size
  let previous = -1
  for (const id of distinctIds) {
    const position = positions.get(id) ?? previous
    if (position < previous) check.disorder++
    previous = Math.max(previous, position)
  }
}

/**
 * Returns a function that parses the message in a body. Clients share bodies, so each body is
 * parsed once.
 */
function createMessageReader() {
  const messageByBody = new Map<string, { id: number; content: string } | undefined>()
  return (body: string | null) => {
    if (body === null || !body.includes('"type":"message"')) return undefined
    if (!messageByBody.has(body)) messageByBody.set(body, JSON.parse(body).message)
    return messageByBody.get(body)
  }
}

function isFor({ send, readers }: SentMessage, { user_id, all_public_streams }: QueueCut): boolean {
  if (readers.has(user_id)) return true
  return all_public_streams && send.recipient.onlookers.some((onlooker) => onlooker.user_id === user_id)
}
