import { type Periods, readPeriods, subscribersAt } from './due-records.ts'
import { type EventLog, type Hole, inHole, type LoggedRecord, type Query, readLog } from './event-log.ts'
import type { LedgerClient, LedgerSection } from './ledger-client.ts'
import { type QueueCut, stateTest } from './queue-cuts.ts'
import type { Recipient } from './recipients.ts'
import type { SendBook } from './send-book.ts'
import type { Send } from './senders.ts'

export interface MessageCheck {
  sends: number
  acknowledged: number
  attempts: number
  /** Messages that had to come to someone's queue. */
  deliveries: number
  /** Acknowledged by a database that was then lost, for a standby that lacked its newest commits. */
  lostWithTail: number
  unacknowledged: number
  lost: number
  /** Sent more than once, whether anyone was told so or not. */
  doubled: number
  /** An attempt was told another id than the message has. */
  renumbered: number
  /** Messages that the log does not have exactly once, and messages of the log that do not exist. */
  untold: number
  missing: number
  twice: number
  /** Seen in another order than that of the log, or under a number under which others saw something else. */
  disorder: number
  /** Seen by someone whom it was not for. */
  uncalledFor: number
}

export interface SentMessage {
  id: number
  send: Send
  /** To whom it came when it was sent. */
  readers: ReadonlySet<number>
}

/**
 * What senders were told, what the database has and what every reader saw, beside each other. Who is to see a message is
 * known from who is in the stream or the conversation, and not from what the log says of its audience.
 */
export async function checkMessages(
  query: Query,
  book: SendBook,
  clients: readonly LedgerClient[],
  cuts: ReadonlyMap<string, QueueCut>,
  upTo: number,
): Promise<{ check: MessageCheck; messages: SentMessage[] }> {
  const check: MessageCheck = {
    sends: 0,
    acknowledged: 0,
    attempts: 0,
    deliveries: 0,
    lostWithTail: 0,
    unacknowledged: 0,
    lost: 0,
    doubled: 0,
    renumbered: 0,
    untold: 0,
    missing: 0,
    twice: 0,
    disorder: 0,
    uncalledFor: 0,
  }
  const sections = clients.flatMap((client) => client.sections)
  const log = await readLog(query, Math.min(...sections.map((section) => section.after)), upTo)
  const unchecked = new Set(book.unchecked())
  const found = await readFound(query, book.sends)
  checkSends(check, book, found)
  const told = readTold(log, unchecked, await readPeriods(query))
  const toldById = new Map(told.map((each) => [each.id, each]))
  const messages = found.flatMap(({ id, send }) =>
    unchecked.has(send) ? { id, send, readers: toldById.get(id)?.readers ?? new Set<number>() } : [],
  )
  checkTold(check, messages, told)
  const contents = new Set(book.sends.map(({ content }) => content))
  checkReaders(check, { sections, cuts, told, contents, holes: log.holes, upTo })
  return { check, messages }
}

type Found = Pick<SentMessage, 'id' | 'send'>

async function readFound(query: Query, sends: readonly Send[]): Promise<Found[]> {
  const byContent = new Map(sends.map((send) => [send.content, send]))
  const rows = await query<{ id: number; content: string }>(
    'select id::float8, content from message order by id',
  )
  return rows.flatMap(({ id, content }) => {
    const send = byContent.get(content)
    return send ? { id, send } : []
  })
}

/** All sends ever: what was there once must still be there, and still once. */
function checkSends(check: MessageCheck, book: SendBook, found: readonly Found[]): void {
  const bySend = Map.groupBy(found, ({ send }) => send)
  for (const send of book.sends) {
    const ids = bySend.get(send)?.map(({ id }) => id) ?? []
    const before = book.countBefore(send)
    book.note(send, ids.length)
    if (before === undefined) checkSend(check, book, send, ids)
    else if (ids.length > before) check.doubled++
    else if (ids.length < before) check.lost++
  }
}

function checkSend(check: MessageCheck, book: SendBook, send: Send, ids: readonly number[]): void {
  const { acknowledgements, attempts } = send
  const lasting = acknowledgements.filter((each) => !book.mayBeLost(each))
  check.sends++
  check.attempts += attempts
  if (acknowledgements.length > 0) check.acknowledged++
  else check.unacknowledged++
  if (ids.length > 1) check.doubled++
  if (ids.length === 0 && lasting.length > 0) check.lost++
  if (ids.length === 0 && acknowledgements.length > 0 && lasting.length === 0) check.lostWithTail++
  const told = new Set(lasting.map(({ id }) => id))
  if (told.size > 1 || (ids.length > 0 && !told.isSubsetOf(new Set(ids)))) check.renumbered++
}

interface Told extends SentMessage {
  record: LoggedRecord
}

/** In the order of the log. */
function readTold({ records }: EventLog, sends: ReadonlySet<Send>, periods: Periods): Told[] {
  const byContent = new Map([...sends].map((send) => [send.content, send]))
  return records.flatMap((record) => {
    if (record.header.type !== 'message') return []
    const { id, content } = record.event.message as { id: number; content: string }
    const send = byContent.get(content)
    return send ? { record, id, send, readers: readersOf(send.recipient, record, periods) } : []
  })
}

function readersOf(
  { isComingAndGoing, form, members }: Recipient,
  { outboxId }: LoggedRecord,
  periods: Periods,
): Set<number> {
  if (isComingAndGoing) return subscribersAt(periods, Number(form.to), outboxId)
  return new Set(members.map(({ user_id }) => user_id))
}

function checkTold(check: MessageCheck, messages: readonly SentMessage[], told: readonly Told[]): void {
  const times = Map.groupBy(told, ({ id }) => id)
  const existing = new Set(messages.map(({ id }) => id))
  check.untold += messages.filter(({ id }) => times.get(id)?.length !== 1).length
  check.untold += told.filter(({ id }) => !existing.has(id)).length
}

interface Reading {
  sections: readonly LedgerSection[]
  cuts: ReadonlyMap<string, QueueCut>
  told: readonly Told[]
  /** Of everything that was sent: other messages are no concern of this check. */
  contents: ReadonlySet<string>
  holes: Hole[]
  upTo: number
}

function checkReaders(check: MessageCheck, { sections, cuts, told, contents, holes, upTo }: Reading): void {
  const positions = new Map(told.map(({ id }, index) => [id, index]))
  const messageOf = messageReader()
  const numbered = new Map<number, number>()
  for (const section of sections) {
    const cut = cuts.get(section.queue_id)
    // Without it, it is a matter of the ledger as a whole.
    if (!cut) continue
    const end = section.isDead ? (section.entries.at(-1)?.id ?? section.after) : upTo
    const isInState = stateTest(cut)
    const due = told.filter(
      (each) =>
        each.record.seq > section.after &&
        each.record.seq <= end &&
        !isInState(each.record) &&
        isFor(each, cut),
    )
    const seen: number[] = []
    for (const { id: number, body } of section.entries) {
      const message = number <= upTo ? messageOf(body) : undefined
      if (!message) continue
      if ((numbered.get(number) ?? message.id) !== message.id) check.disorder++
      numbered.set(number, message.id)
      // What the lost database said is no concern of a client that was told to begin anew.
      if (section.isDead && inHole(holes, number)) continue
      if (contents.has(message.content)) seen.push(message.id)
    }
    check.deliveries += due.length
    checkSeen(check, new Set(due.map(({ id }) => id)), seen, positions)
  }
}

function checkSeen(
  check: MessageCheck,
  due: ReadonlySet<number>,
  seen: readonly number[],
  positions: ReadonlyMap<number, number>,
): void {
  const once = new Set(seen)
  check.twice += seen.length - once.size
  check.missing += due.difference(once).size
  check.uncalledFor += once.difference(due).size
  let previous = -1
  for (const id of once) {
    const position = positions.get(id) ?? previous
    if (position < previous) check.disorder++
    previous = Math.max(previous, position)
  }
}

/** Clients share the bodies, so each is read once. */
function messageReader() {
  const known = new Map<string, { id: number; content: string } | undefined>()
  return (body: string | null) => {
    if (body === null || !body.includes('"type":"message"')) return undefined
    if (!known.has(body)) known.set(body, JSON.parse(body).message)
    return known.get(body)
  }
}

function isFor({ send, readers }: SentMessage, { user_id, all_public_streams }: QueueCut): boolean {
  if (readers.has(user_id)) return true
  return all_public_streams && send.recipient.onlookers.some((onlooker) => onlooker.user_id === user_id)
}
