import type {
  Event,
  FetchedMessage,
  MessageFlag,
  MessageFlagsEvent,
  MessageId,
  MessageUpdateEvent,
  NewMessageEvent,
  PersonChange,
  ReactionEvent,
  StreamId,
  UserId,
} from '@oxbow/contract'
import type { AccountView } from './account-view.ts'
import { changeFlag, changeMessage, listFlagged, react, updateMessage } from './change-message.ts'
import { flagBits, readNames, toFlagBits, toWindowMessage, type WindowMessage } from './message.ts'
import type { Aspect, Highlight, KnownFields, Narrow } from './narrow.ts'
import { findSegment, hasMessage, insertIds, joinSegment, removeIds, type Segments } from './segments.ts'

/** A window in memory: its narrow, and the messages that are known to be in it. */
export interface Entry {
  readonly narrow: Narrow
  segments: Segments
  highlights: ReadonlyMap<MessageId, Highlight>
  /** Whether an event may have changed the window in a way that only fetching it again can show. */
  isStale: boolean
  /** Messages about which the server must be asked whether they match the narrow. */
  readonly undecided: Set<MessageId>
}

/** A page of messages as `GET /messages` returns it. */
export interface Page {
  readonly messages: readonly FetchedMessage[]
  readonly anchor: number
  readonly found_oldest: boolean
  readonly found_newest: boolean
}

/** Messages and windows, changed by events and fetched pages. It sends no requests. */
export class Store {
  account: AccountView
  readonly messages = new Map<MessageId, WindowMessage>()
  readonly names = new Map<UserId, string>()
  readonly entries = new Map<string, Entry>()
  readonly changedMessages = new Set<MessageId>()
  readonly changedEntries = new Set<Entry>()
  /**
   * Messages of streams that the account is not subscribed to, which may have changed without an
   * event. Windows show them, but they are not added to other windows.
   */
  readonly #untracked = new Set<MessageId>()

  constructor(account: AccountView) {
    this.account = account
  }

  apply(event: Event): void {
    switch (event.type) {
      case 'message':
        this.#addMessage(event)
        break
      case 'update_message':
        this.#updateMessages(event)
        break
      case 'delete_message':
        this.#remove(event.message_ids ?? (event.message_id === undefined ? [] : [event.message_id]))
        break
      case 'update_message_flags':
        this.#changeFlags(event)
        break
      case 'reaction':
        this.#react(event)
        break
      case 'submessage':
        this.#change(event.message_id, (message) => changeMessage(message, event))
        break
      case 'subscription':
        if (event.op === 'add' || event.op === 'remove') this.#changeAccess(event.subscriptions)
        else if (event.op === 'update' && event.property === 'in_home_view') this.#changeMuting()
        break
      case 'stream':
        if (event.op === 'create' || event.op === 'delete') this.#changeAccess(event.streams)
        else if (event.op === 'update' && event.property === 'invite_only') this.#changeAccess([event])
        break
      case 'muted_topics':
      case 'user_topic':
        this.#changeMuting()
        break
      case 'realm_user':
        if (event.op === 'update') this.#changePerson(event.person)
        break
      case 'realm_filters':
        // Linkifiers determine the links of topics.
        this.markAllStale()
        break
    }
  }

  #changePerson(person: PersonChange): void {
    const { user_id } = person
    if ('full_name' in person) this.#setName(user_id, person.full_name)
    // The new role may give access to different messages, for example if the account was a guest.
    if ('role' in person && user_id === this.account.userId) this.markAllOutdated()
  }

  /** Adds a fetched page of the window. With `replaces`, the page replaces everything in the window. */
  addPage(entry: Entry, page: Page, replaces: boolean): void {
    const { anchor, found_oldest, found_newest } = page
    for (const message of page.messages) {
      this.put(toWindowMessage(message, message.flags))
      readNames(message, (id, name) => this.#setName(id, name))
    }
    const ids = page.messages.map(({ id }) => id)
    const read = {
      from: found_oldest ? 0 : Math.min(ids[0] ?? anchor, anchor),
      to: found_newest ? Number.POSITIVE_INFINITY : Math.max(ids.at(-1) ?? anchor, anchor),
      ids,
    }
    if (replaces) entry.isStale = false
    entry.segments = joinSegment(replaces ? [] : entry.segments, read)
    entry.highlights = withHighlights(replaces ? new Map() : entry.highlights, page.messages)
    this.changedEntries.add(entry)
  }

  /** Marks all windows as stale. */
  markAllStale(): void {
    for (const entry of this.entries.values()) this.#markStale(entry)
  }

  /**
   * Treats every message as possibly changed, and all windows as stale, for example because events
   * were missed.
   */
  markAllOutdated(): void {
    for (const id of this.messages.keys()) this.#untracked.add(id)
    this.markAllStale()
  }

  /**
   * Adds the message to the window, or removes it, by the server's answer whether it matches the
   * narrow. `highlight` is undefined if it does not match.
   */
  setMatch(entry: Entry, id: MessageId, highlight: Highlight | undefined): void {
    if (!this.messages.has(id)) return
    if (!highlight) {
      this.#removeMessage(entry, id)
      if (!this.#isUsed(id)) this.#drop(id)
      return
    }
    this.#insertMessage(entry, id)
    if (entry.narrow.searchText !== undefined) this.#setHighlight(entry, id, highlight)
  }

  #setHighlight(entry: Entry, id: MessageId, highlight: Highlight): void {
    entry.highlights = new Map(entry.highlights).set(id, highlight)
    this.changedEntries.add(entry)
  }

  /** Drops messages that are in no window. */
  dropUnusedMessages(): void {
    const used = new Set<MessageId>()
    for (const { segments, undecided } of this.entries.values()) {
      for (const { ids } of segments) for (const id of ids) used.add(id)
      for (const id of undecided) used.add(id)
    }
    for (const id of this.messages.keys()) if (!used.has(id)) this.#drop(id)
  }

  /**
   * Returns whether events keep the window exact. They do not if it has, or may get, messages of
   * streams that the account is not subscribed to, because the account gets no events about
   * changes in them.
   */
  isLive({ narrow, segments }: Entry): boolean {
    const { account } = this
    if (narrow.isPrivate) return true
    if (narrow.stream !== undefined) return account.isSubscribed(narrow.stream)
    if (narrow.includesAllPublicStreams) return false
    if (narrow.canChangeUnseen(account)) return false
    return !segments.some(({ ids }) => ids.some((id) => this.#untracked.has(id)))
  }

  /** Adds or replaces a message, which must be up to date with the current state. */
  put(message: WindowMessage): void {
    const { id } = message
    if (this.#isTracked(message)) this.#untracked.delete(id)
    else this.#untracked.add(id)
    const known = this.messages.get(id)
    if (known && isSame(known, message)) return
    this.messages.set(id, message)
    this.changedMessages.add(id)
  }

  #isTracked({ stream_id }: WindowMessage): boolean {
    return stream_id === undefined || this.account.isSubscribed(stream_id)
  }

  #drop(id: MessageId): void {
    this.messages.delete(id)
    this.#untracked.delete(id)
  }

  #setName(id: UserId, name: string): void {
    this.names.set(id, name)
  }

  #addMessage({ message, flags }: NewMessageEvent): void {
    const { id } = message
    // A message that was already fetched is at least as new as this event.
    const isKnown = this.messages.has(id)
    if (!isKnown) this.put(toWindowMessage(message, flags))
    // An event that marked all messages as read may have marked this message too, although it was
    // sent later.
    else this.#change(id, (known) => setRead(known, flags.includes('read')))
    readNames(message, (user, name) => this.#setName(user, name))
    this.#updateWindowsOf(id)
    if (!isKnown && !this.#isUsed(id)) this.#drop(id)
  }

  #isUsed(id: MessageId): boolean {
    return this.entries
      .values()
      .some(({ segments, undecided }) => undecided.has(id) || hasMessage(segments, id))
  }

  #change(id: MessageId, change: (message: WindowMessage) => WindowMessage | undefined): void {
    const before = this.messages.get(id)
    const after = before && change(before)
    if (!after || after === before) return
    this.messages.set(id, after)
    this.changedMessages.add(id)
  }

  #updateMessages(event: MessageUpdateEvent): void {
    const { message_id, message_ids, stream_id, new_stream_id, subject, orig_subject, rendered_content } =
      event
    const isMoved = new_stream_id !== undefined
    const changes: Aspect[] = [
      ...(isMoved ? (['stream', 'received'] as const) : []),
      ...(subject !== undefined ? (['topic'] as const) : []),
    ]
    const changed = new Set(changes)
    const changedInFirst = new Set<Aspect>([
      ...changes,
      'read',
      'starred',
      'mentions',
      ...(rendered_content !== undefined ? (['content'] as const) : []),
    ])
    const to = new_stream_id ?? stream_id
    const topic = subject ?? orig_subject
    const destination = { ...(to !== undefined && { stream_id: to }), ...(topic !== undefined && { topic }) }
    const flags = toFlagBits(event.flags)
    for (const id of message_ids) {
      const aspects = id === message_id ? changedInFirst : changed
      const before = this.messages.get(id)
      this.#change(id, (message) => updateMessage(message, event))
      if (!before) {
        this.#updateWindowsOfUnknown({ id, ...destination, ...(id === message_id && { flags }) }, aspects)
        continue
      }
      if (isMoved) this.#changeStream(id, new_stream_id, id === message_id)
      this.#updateWindowsOf(id, aspects)
    }
  }

  /** Handles the move of a message to a stream in which it may be invisible, or can no longer be unread. */
  #changeStream(id: MessageId, stream: StreamId, hasFlags: boolean): void {
    const { account } = this
    if (account.isSubscribed(stream)) {
      const isUnread = ((this.messages.get(id)?.flags ?? 0) & flagBits.read) === 0
      // The server treats the message as read if the account left the stream and joined it again.
      if (isUnread && !hasFlags) this.#markStaleWith(id)
      return
    }
    if (account.isGuest) {
      this.#remove([id])
      return
    }
    this.#untracked.add(id)
    this.#change(id, (message) => ({ ...message, flags: message.flags | flagBits.read }))
    this.#reportWindowsWith(id)
  }

  #remove(ids: readonly MessageId[]): void {
    const gone = new Set(ids)
    for (const entry of this.entries.values()) {
      const segments = removeIds(entry.segments, gone)
      for (const id of ids) entry.undecided.delete(id)
      if (segments === entry.segments) continue
      entry.segments = segments
      this.changedEntries.add(entry)
    }
    for (const id of ids) this.#drop(id)
  }

  #changeFlags(event: MessageFlagsEvent): void {
    const { all, flag, operation } = event
    const aspects = aspectsOfFlag(flag, operation)
    const knownFlags = flagBits[flag]
    const flags = operation === 'add' ? knownFlags : 0
    if (all) this.#updateWindowsOfUnknown({ flags, knownFlags }, aspects)
    for (const id of all ? this.messages.keys() : listFlagged(event)) {
      this.#change(id, (message) => changeFlag(message, event))
      if (this.messages.has(id)) this.#updateWindowsOf(id, aspects)
      else this.#updateWindowsOfUnknown({ id, flags, knownFlags }, aspects)
    }
  }

  #react(event: ReactionEvent): void {
    const { message_id: id, user_id, user } = event
    this.#setName(user_id, user.full_name)
    this.#change(id, (message) => react(message, event))
    // A message counts as received once the account reacted to it.
    if (event.op !== 'add' || user_id !== this.account.userId) return
    const aspects = new Set<Aspect>(['received'])
    if (this.messages.has(id)) this.#updateWindowsOf(id, aspects)
    else this.#updateWindowsOfUnknown({ id }, aspects)
  }

  /**
   * Handles a change of the messages that the account can see in these streams, or of the events
   * that it gets.
   */
  #changeAccess(streams: readonly { stream_id: StreamId }[]): void {
    const changed = new Set(streams.map(({ stream_id }) => stream_id))
    for (const [id, { stream_id }] of this.messages)
      if (stream_id !== undefined && changed.has(stream_id)) this.#untracked.add(id)
    for (const entry of this.entries.values()) {
      const { stream, isPrivate } = entry.narrow
      if (stream === undefined ? !isPrivate : changed.has(stream)) this.#markStale(entry)
    }
  }

  #changeMuting(): void {
    for (const entry of this.entries.values()) if (entry.narrow.dependsOnMuting) this.#markStale(entry)
  }

  #markStale(entry: Entry): void {
    if (entry.isStale) return
    entry.isStale = true
    this.changedEntries.add(entry)
  }

  #markStaleWith(id: MessageId): void {
    for (const entry of this.entries.values()) if (hasMessage(entry.segments, id)) this.#markStale(entry)
  }

  /** Reports the windows with this message as changed, because they are no longer live. */
  #reportWindowsWith(id: MessageId): void {
    for (const entry of this.entries.values())
      if (hasMessage(entry.segments, id)) this.changedEntries.add(entry)
  }

  /** Adds a message to the windows that it now belongs to, and removes it from others. */
  #updateWindowsOf(id: MessageId, changed?: ReadonlySet<Aspect>): void {
    const message = this.messages.get(id)
    if (!message) return
    for (const entry of this.entries.values()) {
      const { narrow, segments } = entry
      if ((changed && !this.#mayAffect(narrow, changed)) || !findSegment(segments, id)) continue
      const isIn = hasMessage(segments, id)
      const verdict = narrow.judge(isIn && narrow.isUnreadOnly ? asUnread(message) : message, this.account)
      if (verdict === false) this.#removeMessage(entry, id)
      else if (!isIn && this.#isDoubtful(narrow, message)) this.#markStale(entry)
      else if (verdict === undefined) entry.undecided.add(id)
      else this.#insertMessage(entry, id)
    }
  }

  /**
   * Returns whether the changes can affect the narrow. Narrows without history have only messages
   * that the account received.
   */
  #mayAffect(narrow: Narrow, changed: ReadonlySet<Aspect>): boolean {
    if (narrow.dependsOn(changed)) return true
    return changed.has('received') && !narrow.isPrivate && !narrow.includesHistory(this.account)
  }

  /** Returns whether a message that matches the narrow may be outdated or not visible in it. */
  #isDoubtful(narrow: Narrow, message: WindowMessage): boolean {
    if (this.#untracked.has(message.id)) return true
    return !narrow.includesHistory(this.account) && !this.#isReceived(message)
  }

  #isReceived({ flags, reactions }: WindowMessage): boolean {
    if ((flags & flagBits.historical) === 0 || (flags & flagBits.starred) !== 0) return true
    return reactions.some(({ user_id }) => user_id === this.account.userId)
  }

  /**
   * Marks windows as stale if a message that is not in memory may now belong to them. Without an
   * id, `message` stands for any message.
   */
  #updateWindowsOfUnknown(message: KnownFields, changed: ReadonlySet<Aspect>): void {
    for (const entry of this.entries.values()) {
      const { narrow, segments, isStale } = entry
      if (isStale || !this.#mayAffect(narrow, changed)) continue
      if (message.id !== undefined && !findSegment(segments, message.id)) continue
      if (narrow.judge(message, this.account) !== false) this.#markStale(entry)
    }
  }

  #insertMessage(entry: Entry, id: MessageId): void {
    const { narrow } = entry
    const message = this.messages.get(id)
    const highlight = message && narrow.matchText?.(message)
    if (highlight) this.#setHighlight(entry, id, highlight)
    this.#setSegments(entry, insertIds(entry.segments, [id]))
  }

  #removeMessage(entry: Entry, id: MessageId): void {
    this.#setSegments(entry, removeIds(entry.segments, new Set([id])))
  }

  #setSegments(entry: Entry, segments: Segments): void {
    if (segments === entry.segments) return
    entry.segments = segments
    this.changedEntries.add(entry)
  }
}

function aspectsOfFlag(flag: MessageFlag, operation: 'add' | 'remove'): ReadonlySet<Aspect> {
  if (flag === 'read') return new Set(['read'])
  if (flag !== 'starred') return new Set()
  // A message counts as received once it is starred.
  return new Set(operation === 'add' ? ['starred', 'received'] : ['starred'])
}

function setRead(message: WindowMessage, isRead: boolean): WindowMessage {
  const operation = isRead ? 'add' : 'remove'
  return changeFlag(message, { flag: 'read', operation })
}

const asUnread = (message: WindowMessage): KnownFields => ({
  ...message,
  flags: message.flags & ~flagBits.read,
})

const withHighlights = (
  before: ReadonlyMap<MessageId, Highlight>,
  messages: readonly FetchedMessage[],
): ReadonlyMap<MessageId, Highlight> => {
  const found = messages.flatMap(({ id, match_content, match_subject }) =>
    match_content === undefined || match_subject === undefined
      ? []
      : [[id, { match_content, match_subject }] as const],
  )
  return found.length === 0 ? before : new Map([...before, ...found])
}

/** Compares by value, so that a message that was fetched again without changes stays the same object. */
const isSame = (one: WindowMessage, other: WindowMessage): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
