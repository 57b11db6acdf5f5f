import type { Event, MessageId, NarrowTerm, UserId } from '@oxbow/contract'
import type { State } from '../state/state.ts'
import { createAccountReader } from './account-view.ts'
import type { WindowMessage } from './message.ts'
import { compileNarrow, type Highlight, type MatchText, type Term } from './narrow.ts'
import { findSegment, keepNearest, type Segment, type Segments, trimSegments } from './segments.ts'
import { type Entry, type Page, Store } from './store.ts'
import { canStore, type StoredContents, type StoredWindow } from './stored-windows.ts'

export interface PageRequest {
  readonly narrow: NarrowTerm[]
  readonly anchor: string
  readonly num_before: number
  readonly num_after: number
}

export interface WindowLimits {
  maxMessages: number
  maxWindows: number
  maxSegments: number
  /** Maximum number of messages that a window keeps after it was closed. */
  maxKept: number
  /** Maximum number of messages per request in each direction. */
  pageSize: number
  /** How long messages are collected before the server is asked whether they match a narrow. */
  askAfterMs: number
  /** How often windows that are not live are refetched while they are shown. */
  refreshMs: number
}

const defaultLimits: WindowLimits = {
  maxMessages: 20_000,
  maxWindows: 60,
  maxSegments: 3,
  maxKept: 2_000,
  pageSize: 100,
  askAfterMs: 1_000,
  refreshMs: 30_000,
}

export interface WindowsOptions {
  readonly state: State
  /** Calls `GET /messages`. */
  fetch(request: PageRequest): Promise<Page>
  /** Calls `GET /messages/matches_narrow`, and returns the `messages` of the response. */
  match(ids: readonly MessageId[], narrow: NarrowTerm[]): Promise<Readonly<Record<string, Highlight>>>
  /**
   * Returns a function that decides whether a message matches a search text, as the server would.
   * Without it, and for texts with phrases, the server is asked.
   */
  loadSearch?: (text: string) => Promise<MatchText>
  readonly limits?: Partial<WindowLimits>
}

/**
 * A window as it is shown. Every change creates a new object, which shares its unchanged parts with
 * the previous one.
 */
export interface MessageWindow {
  readonly narrow: readonly Term[]
  readonly segments: Segments
  /** The highlighted matches of a search, by message. */
  readonly highlights: ReadonlyMap<MessageId, Highlight>
  /** Whether the window is being refetched, because something may have changed without an event. */
  readonly isStale: boolean
  /**
   * False if the window has messages of streams that the account is not subscribed to, so that only
   * refetching keeps it up to date.
   */
  readonly isLive: boolean
  /** The error of the last request. Absent once a request succeeds. */
  readonly error: unknown
}

export interface WindowsChange {
  readonly messages: ReadonlySet<MessageId>
  readonly windows: readonly OpenWindow[]
}

/** A message id, or a position that the server finds. */
export type Anchor = number | 'newest' | 'oldest' | 'first_unread'

/** A window that is shown until `close` is called. */
export interface OpenWindow {
  readonly current: MessageWindow
  /** The segment around the anchor. Undefined until it is fetched. */
  readonly segment: Segment | undefined
  /** The message id around which the window is refetched and trimmed. Clients set it while they scroll. */
  anchor: number
  /** Settles when the messages around the anchor were fetched. */
  readonly loaded: Promise<void>
  fetchOlder(): Promise<void>
  fetchNewer(): Promise<void>
  /** Refetches the window around the anchor. */
  refresh(): Promise<void>
  close(): void
}

export interface Windows {
  /**
   * Shows a narrow at an anchor. `page` contains its messages if they were fetched together with
   * the state.
   */
  open(narrow: readonly Term[], anchor: Anchor, page?: Page): OpenWindow
  message(id: MessageId): WindowMessage | undefined
  /** Returns the name of a user, as in messages and events. */
  nameOf(id: UserId): string | undefined
  /** Applies an event. `state` is the state after the event. */
  apply(event: Event, state: State): void
  /** Continues with a new state, because events were missed. */
  replaceState(state: State): void
  /**
   * Lists windows that can be stored outside of memory, the most recently shown first. Later events
   * alone keep them exact. Each window is trimmed to `maxMessages` around its anchor.
   */
  listStorable(limits: { maxWindows: number; maxMessages: number }): StoredWindow[]
  /** Restores windows that were stored with the current state. Call it before any event is applied. */
  restore(kept: readonly StoredWindow[], contents: StoredContents): void
  /** Calls the listener after every change. Returns a function that removes the listener. */
  subscribe(listener: (change: WindowsChange) => void): () => void
  /** Whether no request is running or scheduled. */
  readonly isIdle: boolean
  /** Stops all timers. Responses that arrive later are ignored. */
  stop(): void
}

export const createWindows = (options: WindowsOptions): Windows => new WindowsOfAccount(options)

interface WindowEntry extends Entry {
  /** Number of open views of the window. */
  shownBy: number
  lastShown: number
  anchor: number
  error: unknown
  /** Running requests, by a key for their content. */
  readonly requests: Map<string, Promise<void>>
  readonly views: Set<OpenWindow>
  snapshot: MessageWindow | undefined
}

/** A running request. Events that arrive meanwhile are also applied to its response. */
interface Request {
  readonly events: Event[]
}

const refreshKey = 'refresh'
/** The key of the request that fetches the messages around an anchor. */
const aroundKey = (anchor: Anchor): string => `around ${anchor}`

class WindowsOfAccount implements Windows {
  readonly #options: WindowsOptions
  readonly #limits: WindowLimits
  readonly #readAccount = createAccountReader()
  readonly #store: Store
  readonly #requests = new Set<Request>()
  readonly #listeners = new Set<(change: WindowsChange) => void>()
  #epoch = 0
  #showCount = 0
  #askTimer: ReturnType<typeof setTimeout> | undefined
  #refreshTimer: ReturnType<typeof setTimeout> | undefined

  constructor(options: WindowsOptions) {
    this.#options = options
    this.#limits = { ...defaultLimits, ...options.limits }
    this.#store = new Store(this.#readAccount(options.state))
  }

  get isIdle(): boolean {
    return this.#requests.size === 0 && this.#askTimer === undefined
  }

  message(id: MessageId): WindowMessage | undefined {
    return this.#store.messages.get(id)
  }

  nameOf(id: UserId): string | undefined {
    return this.#store.names.get(id)
  }

  subscribe(listener: (change: WindowsChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  apply(event: Event, state: State): void {
    this.#store.account = this.#readAccount(state)
    for (const { events } of this.#requests) events.push(event)
    this.#store.apply(event)
    this.#finish()
  }

  replaceState(state: State): void {
    this.#epoch++
    this.#store.account = this.#readAccount(state)
    for (const entry of this.#entries()) entry.requests.clear()
    this.#requests.clear()
    // The answer of a running match request will be ignored, and must not delay the next request.
    clearTimeout(this.#askTimer)
    this.#askTimer = undefined
    this.#store.markAllOutdated()
    this.#finish()
  }

  stop(): void {
    this.#epoch++
    clearTimeout(this.#askTimer)
    clearTimeout(this.#refreshTimer)
    this.#askTimer = undefined
  }

  open(terms: readonly Term[], anchor: Anchor, page?: Page): OpenWindow {
    const entry = this.#getEntry(terms)
    entry.shownBy++
    entry.lastShown = ++this.#showCount
    if (page) this.#store.addPage(entry, page, true)
    const isLoaded = this.#findAnchored(entry, anchor) !== undefined && !entry.isStale
    if (typeof anchor === 'number') entry.anchor = anchor
    else if (anchor !== 'first_unread') entry.anchor = anchor === 'newest' ? newest : 0
    if (page) entry.anchor = page.anchor
    const loaded = page || isLoaded ? Promise.resolve() : this.#fetchAround(entry, anchor)
    const view = this.#createView(entry, page ? page.anchor : anchor, loaded)
    entry.views.add(view)
    this.#finish()
    return view
  }

  listStorable({ maxWindows, maxMessages }: { maxWindows: number; maxMessages: number }): StoredWindow[] {
    return [...this.#entries()]
      .filter((entry) => canStore(entry) && this.#store.isLive(entry))
      .sort((one, other) => other.lastShown - one.lastShown)
      .slice(0, maxWindows)
      .map(({ narrow, segments, anchor }) => ({
        narrow: narrow.terms,
        segments: trimSegments(segments, anchor, maxMessages),
        anchor,
      }))
  }

  restore(kept: readonly StoredWindow[], { messages, names }: StoredContents): void {
    for (const [id, name] of names) this.#store.names.set(id, name)
    for (const { narrow, segments, anchor } of kept.toReversed()) {
      const ids = segments.flatMap((segment) => segment.ids)
      if (!ids.every((id) => messages.has(id))) continue
      const entry = this.#getEntry(narrow)
      entry.lastShown = ++this.#showCount
      entry.anchor = anchor
      entry.segments = segments
      for (const id of ids) this.#store.put(messages.get(id) as WindowMessage)
    }
    this.#finish()
  }

  #getEntry(terms: readonly Term[]): WindowEntry {
    const narrow = compileNarrow(terms)
    const known = this.#store.entries.get(narrow.key) as WindowEntry | undefined
    if (known) return known
    const entry: WindowEntry = {
      narrow,
      segments: [],
      highlights: new Map(),
      isStale: false,
      undecided: new Set(),
      shownBy: 0,
      lastShown: 0,
      anchor: 0,
      error: undefined,
      requests: new Map(),
      views: new Set(),
      snapshot: undefined,
    }
    this.#store.entries.set(narrow.key, entry)
    this.#loadSearch(entry)
    return entry
  }

  /**
   * Loads the code that matches search texts. The server is asked until the code is loaded, and
   * always for phrases: they must occur in the Markdown source, which windows do not have.
   */
  #loadSearch({ narrow }: Entry): void {
    const { searchText } = narrow
    if (searchText === undefined || searchText.includes('"')) return
    this.#options.loadSearch?.(searchText).then(
      (match) => {
        narrow.matchText = match
      },
      () => undefined,
    )
  }

  /** Returns the segment that includes the anchor, if it was fetched. */
  #findAnchored({ segments }: Entry, anchor: Anchor): Segment | undefined {
    if (anchor === 'first_unread') return undefined
    const id = anchor === 'newest' ? Number.POSITIVE_INFINITY : anchor === 'oldest' ? 0 : anchor
    return findSegment(segments, id)
  }

  #createView(entry: WindowEntry, anchor: Anchor, loaded: Promise<void>): OpenWindow {
    const { pageSize } = this.#limits
    const findAround = () => keepNearest(entry.segments, entry.anchor, 1)[0]
    const fetchBeyond = async (end: 'from' | 'to') => {
      const at = findAround()?.[end]
      if (!at || at === Number.POSITIVE_INFINITY) return
      const [num_before, num_after] = end === 'from' ? [pageSize, 0] : [0, pageSize]
      await this.#fetch(entry, `${end} ${at}`, { anchor: String(at), num_before, num_after })
    }
    const currentOf = () => this.#snapshot(entry)
    // While the anchor is fetched, the nearest segment would be another part of the conversation.
    const findShown = () =>
      entry.requests.has(aroundKey(anchor)) ? this.#findAnchored(entry, anchor) : findAround()
    const view: OpenWindow = {
      get current() {
        return currentOf()
      },
      get segment() {
        return findShown()
      },
      get anchor() {
        return entry.anchor
      },
      set anchor(id) {
        entry.anchor = id
      },
      loaded,
      fetchOlder: () => fetchBeyond('from'),
      fetchNewer: () => fetchBeyond('to'),
      refresh: () => this.#refresh(entry),
      close: () => {
        if (entry.views.delete(view)) this.#leave(entry)
      },
    }
    // `error` reports failures. A rejection that nobody awaits must not end the program.
    loaded.catch(() => undefined)
    return view
  }

  #snapshot(entry: WindowEntry): MessageWindow {
    entry.snapshot ??= {
      narrow: entry.narrow.terms,
      segments: entry.segments,
      highlights: entry.highlights,
      isStale: entry.isStale,
      isLive: this.#store.isLive(entry),
      error: entry.error,
    }
    return entry.snapshot
  }

  #fetchAround(entry: WindowEntry, anchor: Anchor): Promise<void> {
    const { pageSize } = this.#limits
    return this.#fetch(entry, aroundKey(anchor), {
      anchor: String(anchor),
      num_before: pageSize,
      num_after: pageSize,
    })
  }

  /** Refetches the window around the anchor, with as many messages as it had, and replaces it. */
  #refresh(entry: WindowEntry): Promise<void> {
    const { pageSize, maxKept } = this.#limits
    const [around] = keepNearest(entry.segments, entry.anchor, 1)
    const older = around?.ids.filter((id) => id < entry.anchor).length ?? 0
    const newer = (around?.ids.length ?? 0) - older
    const limit = (count: number) => Math.min(Math.max(count, pageSize), maxKept)
    return this.#fetch(entry, refreshKey, {
      anchor: String(entry.anchor),
      num_before: limit(older),
      num_after: limit(newer),
    })
  }

  /** Fetches a page. While the request is running, further calls with the same key share it. */
  #fetch(entry: WindowEntry, key: string, page: Omit<PageRequest, 'narrow'>): Promise<void> {
    const running = entry.requests.get(key)
    if (running) return running
    const request = this.#send(entry, key, page)
    entry.requests.set(key, request)
    return request
  }

  async #send(entry: WindowEntry, key: string, page: Omit<PageRequest, 'narrow'>): Promise<void> {
    const epoch = this.#epoch
    const request: Request = { events: [] }
    this.#requests.add(request)
    const isCurrent = () => epoch === this.#epoch && this.#store.entries.get(entry.narrow.key) === entry
    try {
      const response = await this.#options.fetch({ narrow: toNarrowTerms(entry), ...page })
      if (!isCurrent()) return
      entry.error = undefined
      if (page.anchor === 'first_unread') entry.anchor = response.anchor
      this.#store.addPage(entry, response, key === refreshKey)
      entry.segments = keepNearest(entry.segments, entry.anchor, this.#limits.maxSegments)
      for (const event of request.events) this.#store.apply(event)
    } catch (error) {
      if (!isCurrent()) return
      entry.error = error
      // The account may no longer see the narrow.
      if ((error as { body?: { code?: unknown } }).body?.code === 'BAD_NARROW') entry.segments = []
      this.#store.changedEntries.add(entry)
      throw error
    } finally {
      this.#requests.delete(request)
      // A new state has cleared the requests, so that another request may now have this key.
      if (isCurrent()) entry.requests.delete(key)
      this.#finish()
    }
  }

  #entries(): Iterable<WindowEntry> {
    return this.#store.entries.values() as Iterable<WindowEntry>
  }

  /**
   * Completes a change: refetches stale windows, applies limits, schedules requests and notifies
   * listeners.
   */
  #finish(): void {
    for (const entry of [...this.#entries()]) {
      if (!entry.isStale) continue
      if (entry.shownBy === 0) this.#store.entries.delete(entry.narrow.key)
      // A failed request is not repeated automatically, because the client knows when the server is back.
      else if (entry.error === undefined && !entry.requests.has(refreshKey))
        this.#refresh(entry).catch(() => undefined)
    }
    this.#keepLimits()
    this.#planMatchRequest()
    this.#planRefresh()
    this.#notify()
  }

  #notify(): void {
    const { changedMessages, changedEntries } = this.#store
    if (changedMessages.size === 0 && changedEntries.size === 0) return
    const entries = [...changedEntries] as WindowEntry[]
    for (const entry of entries) entry.snapshot = undefined
    const windows = entries.flatMap(({ views }) => [...views])
    const change = { messages: new Set(changedMessages), windows }
    changedMessages.clear()
    changedEntries.clear()
    for (const listener of this.#listeners) listener(change)
  }

  #planMatchRequest(): void {
    const isUndecided = [...this.#entries()].some(({ undecided }) => undecided.size > 0)
    if (!isUndecided || this.#askTimer !== undefined) return
    this.#askTimer = setTimeout(() => {
      this.#ask().catch(() => undefined)
    }, this.#limits.askAfterMs)
  }

  /** Asks the server whether messages match narrows that the client cannot evaluate. */
  async #ask(): Promise<void> {
    const epoch = this.#epoch
    for (const entry of [...this.#entries()]) {
      const ids = [...entry.undecided].slice(0, maxMessagesPerMatch)
      if (ids.length === 0) continue
      // A message that changes during the request is added again.
      for (const id of ids) entry.undecided.delete(id)
      try {
        const found = await this.#options.match(ids, toNarrowTerms(entry))
        if (epoch !== this.#epoch) return
        for (const id of ids) if (!entry.undecided.has(id)) this.#store.setMatch(entry, id, found[id])
      } catch {
        if (epoch !== this.#epoch) return
        entry.isStale = true
      }
    }
    this.#askTimer = undefined
    this.#finish()
  }

  #planRefresh(): void {
    const isNeeded = [...this.#entries()].some((entry) => entry.shownBy > 0 && !this.#store.isLive(entry))
    if (!isNeeded || this.#refreshTimer !== undefined) return
    this.#refreshTimer = setTimeout(() => {
      this.#refreshTimer = undefined
      for (const entry of this.#entries())
        if (entry.shownBy > 0 && !this.#store.isLive(entry)) this.#refresh(entry).catch(() => undefined)
      this.#finish()
    }, this.#limits.refreshMs)
  }

  #leave(entry: WindowEntry): void {
    entry.shownBy--
    if (entry.shownBy > 0) return
    const isKept = !entry.isStale && this.#store.isLive(entry) && !entry.narrow.isUnreadOnly
    if (isKept) entry.segments = trimSegments(entry.segments, entry.anchor, this.#limits.maxKept)
    else this.#store.entries.delete(entry.narrow.key)
    this.#store.dropUnusedMessages()
    this.#finish()
  }

  /** Drops the windows that were shown longest ago and, if that is not enough, trims the others. */
  #keepLimits(): void {
    const { maxMessages, maxWindows, maxKept } = this.#limits
    const { entries, messages } = this.#store
    if (entries.size <= maxWindows && messages.size <= maxMessages) return
    this.#store.dropUnusedMessages()
    const hidden = [...this.#entries()].filter(({ shownBy }) => shownBy === 0)
    for (const entry of hidden.sort((a, b) => a.lastShown - b.lastShown)) {
      if (entries.size <= maxWindows && messages.size <= maxMessages) return
      entries.delete(entry.narrow.key)
      this.#store.dropUnusedMessages()
    }
    if (messages.size <= maxMessages) return
    for (const entry of this.#entries()) {
      entry.segments = trimSegments(entry.segments, entry.anchor, maxKept)
      this.#store.changedEntries.add(entry)
    }
    this.#store.dropUnusedMessages()
  }
}

/** The anchor that the server uses for `newest`. */
const newest = 1e16
/** Maximum number of messages in one match request. */
const maxMessagesPerMatch = 1_000

/** Returns the terms for a request. Several search terms are combined into one, also for `matches_narrow`. */
function toNarrowTerms({ narrow: { terms, searchText } }: Entry): NarrowTerm[] {
  const others = terms.filter(({ operator }) => operator !== 'search')
  const search = searchText === undefined ? [] : [{ operator: 'search', operand: searchText }]
  return [...others, ...search].map((term) => ({ negated: false, ...term }))
}
