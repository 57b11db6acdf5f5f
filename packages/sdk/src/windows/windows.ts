import type { Event, MessageId, NarrowTerm, UserId } from '@oxbow/contract'
import type { State } from '../state/state.ts'
import { createAccountReader } from './account-view.ts'
import { isKeepable, type KeptContents, type KeptWindow } from './kept.ts'
import type { WindowMessage } from './message.ts'
import { compileNarrow, type Highlight, type MatchText, type Term } from './narrow.ts'
import { findSegment, keepNearest, type Segment, type Segments, trimSegments } from './segments.ts'
import { type Entry, type Page, Store } from './store.ts'

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
  /** Messages that a window keeps when it is left. */
  maxKept: number
  /** Messages per request. */
  pageSize: number
  /** How long messages are gathered before the server is asked whether they match a narrow. */
  askAfterMs: number
  /** How often windows that are not live are fetched again while they are shown. */
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
  /** `GET /messages`. */
  fetch(request: PageRequest): Promise<Page>
  /** `GET /messages/matches_narrow`; its messages. */
  match(ids: readonly MessageId[], narrow: NarrowTerm[]): Promise<Readonly<Record<string, Highlight>>>
  /**
   * Returns a function that tells whether a message matches the text of a search, as the server
   * would. Without it, and for texts with phrases, the server is asked.
   */
  loadSearch?: (text: string) => Promise<MatchText>
  readonly limits?: Partial<WindowLimits>
}

/** A window as it is shown. A new object after every change; its parts are shared as long as they are equal. */
export interface MessageWindow {
  readonly narrow: readonly Term[]
  readonly segments: Segments
  /** The matches of messages in a search. */
  readonly highlights: ReadonlyMap<MessageId, Highlight>
  /** It is being fetched again, because something may have changed that no event tells. */
  readonly isStale: boolean
  /** False: it has messages of streams that the account is not in, and only fetching keeps it up to date. */
  readonly isLive: boolean
  /** Why the last request failed; it is absent once another one succeeds. */
  readonly error: unknown
}

export interface WindowsChange {
  readonly messages: ReadonlySet<MessageId>
  readonly windows: readonly OpenWindow[]
}

/** A message id, or a place that the server finds. */
export type Anchor = number | 'newest' | 'oldest' | 'first_unread'

/** A window that is shown, until `close`. */
export interface OpenWindow {
  readonly current: MessageWindow
  /** The segment around the anchor; undefined until it is fetched. */
  readonly segment: Segment | undefined
  /** The place around which the window is fetched again and trimmed. Clients set it while they scroll. */
  anchor: number
  /** Settles when the messages around the anchor are there. */
  readonly loaded: Promise<void>
  fetchOlder(): Promise<void>
  fetchNewer(): Promise<void>
  /** Fetches the window again around the anchor. */
  refresh(): Promise<void>
  close(): void
}

export interface Windows {
  /** Shows a narrow at an anchor, with `page` if it was fetched together with the state. */
  open(narrow: readonly Term[], anchor: Anchor, page?: Page): OpenWindow
  message(id: MessageId): WindowMessage | undefined
  /** The name of a user as messages have it. */
  nameOf(id: UserId): string | undefined
  /** Applies an event; `state` is the state after it. */
  apply(event: Event, state: State): void
  /** Begins anew with another state, because events were missed. */
  replaceState(state: State): void
  /**
   * Lists the windows that can be kept outside of memory, those shown last first: events alone keep
   * them exact from the present state on. Each is cut to `maxMessages` around its anchor.
   */
  listKept(limits: { maxWindows: number; maxMessages: number }): KeptWindow[]
  /** Takes over windows that were kept as of the present state, before any event is applied. */
  restore(kept: readonly KeptWindow[], contents: KeptContents): void
  /** Calls the listener after every change. Returns a function that ends it. */
  subscribe(listener: (change: WindowsChange) => void): () => void
  /** Whether no request is under way or planned. */
  readonly isIdle: boolean
  /** Ends timers; responses that are still under way are ignored. */
  stop(): void
}

export const createWindows = (options: WindowsOptions): Windows => new WindowsOfAccount(options)

interface KeptEntry extends Entry {
  /** How many views show the window. */
  shownBy: number
  lastShown: number
  anchor: number
  error: unknown
  /** Requests under way, by what they fetch. */
  readonly requests: Map<string, Promise<void>>
  readonly views: Set<OpenWindow>
  snapshot: MessageWindow | undefined
}

/** Events that came while a request was under way are applied again to its response. */
interface Request {
  readonly events: Event[]
}

const refreshKey = 'refresh'

class WindowsOfAccount implements Windows {
  readonly #options: WindowsOptions
  readonly #limits: WindowLimits
  readonly #readAccount = createAccountReader()
  readonly #store: Store
  readonly #requests = new Set<Request>()
  readonly #listeners = new Set<(change: WindowsChange) => void>()
  #epoch = 0
  #shows = 0
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
    // A question that is under way will be ignored, and must not keep the next one from being asked.
    clearTimeout(this.#askTimer)
    this.#askTimer = undefined
    this.#store.distrustAll()
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
    entry.lastShown = ++this.#shows
    if (page) this.#store.addPage(entry, page, true)
    const isThere = this.#hasAnchor(entry, anchor) && !entry.isStale
    if (typeof anchor === 'number') entry.anchor = anchor
    else if (anchor !== 'first_unread') entry.anchor = anchor === 'newest' ? newest : 0
    if (page) entry.anchor = page.anchor
    const loaded = page || isThere ? Promise.resolve() : this.#fetchAround(entry, String(anchor))
    const view = this.#createView(entry, loaded)
    entry.views.add(view)
    this.#finish()
    return view
  }

  listKept({ maxWindows, maxMessages }: { maxWindows: number; maxMessages: number }): KeptWindow[] {
    return [...this.#entries()]
      .filter((entry) => isKeepable(entry) && this.#store.isLive(entry))
      .sort((one, other) => other.lastShown - one.lastShown)
      .slice(0, maxWindows)
      .map(({ narrow, segments, anchor }) => ({
        narrow: narrow.terms,
        segments: trimSegments(segments, anchor, maxMessages),
        anchor,
      }))
  }

  restore(kept: readonly KeptWindow[], { messages, names }: KeptContents): void {
    for (const [id, name] of names) this.#store.names.set(id, name)
    for (const { narrow, segments, anchor } of kept.toReversed()) {
      const ids = segments.flatMap((segment) => segment.ids)
      if (!ids.every((id) => messages.has(id))) continue
      const entry = this.#getEntry(narrow)
      entry.lastShown = ++this.#shows
      entry.anchor = anchor
      entry.segments = segments
      for (const id of ids) this.#store.put(messages.get(id) as WindowMessage)
    }
    this.#finish()
  }

  #getEntry(terms: readonly Term[]): KeptEntry {
    const narrow = compileNarrow(terms)
    const known = this.#store.entries.get(narrow.key) as KeptEntry | undefined
    if (known) return known
    const entry: KeptEntry = {
      narrow,
      segments: [],
      highlights: new Map(),
      isStale: false,
      asked: new Set(),
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

  /** Until it is loaded, the server is asked. Phrases are looked for in the source, which windows do not have. */
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

  #hasAnchor({ segments }: Entry, anchor: Anchor): boolean {
    if (anchor === 'first_unread') return false
    const id = anchor === 'newest' ? Number.POSITIVE_INFINITY : anchor === 'oldest' ? 0 : anchor
    return findSegment(segments, id) !== undefined
  }

  #createView(entry: KeptEntry, loaded: Promise<void>): OpenWindow {
    const { pageSize } = this.#limits
    const findAround = () => keepNearest(entry.segments, entry.anchor, 1)[0]
    const fetchBeyond = async (end: 'from' | 'to') => {
      const at = findAround()?.[end]
      if (!at || at === Number.POSITIVE_INFINITY) return
      const [num_before, num_after] = end === 'from' ? [pageSize, 0] : [0, pageSize]
      await this.#fetch(entry, `${end} ${at}`, { anchor: String(at), num_before, num_after })
    }
    const currentOf = () => this.#snapshot(entry)
    const view: OpenWindow = {
      get current() {
        return currentOf()
      },
      get segment() {
        return findAround()
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
    // Views report failures by `error`; a view that nobody waits for must not end the program.
    loaded.catch(() => undefined)
    return view
  }

  #snapshot(entry: KeptEntry): MessageWindow {
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

  #fetchAround(entry: KeptEntry, anchor: string): Promise<void> {
    const { pageSize } = this.#limits
    return this.#fetch(entry, `around ${anchor}`, { anchor, num_before: pageSize, num_after: pageSize })
  }

  /** Replaces the window by what the server has around the anchor, as many messages as there were. */
  #refresh(entry: KeptEntry): Promise<void> {
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

  /** Fetches a page, once however often it is asked for meanwhile. */
  #fetch(entry: KeptEntry, key: string, page: Omit<PageRequest, 'narrow'>): Promise<void> {
    const running = entry.requests.get(key)
    if (running) return running
    const request = this.#send(entry, key, page)
    entry.requests.set(key, request)
    return request
  }

  async #send(entry: KeptEntry, key: string, page: Omit<PageRequest, 'narrow'>): Promise<void> {
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
      // The account may not see the narrow any more.
      if ((error as { body?: { code?: unknown } }).body?.code === 'BAD_NARROW') entry.segments = []
      this.#store.changedEntries.add(entry)
      throw error
    } finally {
      this.#requests.delete(request)
      // A new state has cleared the requests, and another one may have this key since.
      if (isCurrent()) entry.requests.delete(key)
      this.#finish()
    }
  }

  #entries(): Iterable<KeptEntry> {
    return this.#store.entries.values() as Iterable<KeptEntry>
  }

  /** Does what follows from a change, and reports it. */
  #finish(): void {
    for (const entry of [...this.#entries()]) {
      if (!entry.isStale) continue
      if (entry.shownBy === 0) this.#store.entries.delete(entry.narrow.key)
      // A failed request is not repeated by itself; the client knows when the server is back.
      else if (entry.error === undefined && !entry.requests.has(refreshKey))
        this.#refresh(entry).catch(() => undefined)
    }
    this.#keepLimits()
    this.#planQuestions()
    this.#planRefresh()
    this.#notify()
  }

  #notify(): void {
    const { changedMessages, changedEntries } = this.#store
    if (changedMessages.size === 0 && changedEntries.size === 0) return
    const entries = [...changedEntries] as KeptEntry[]
    for (const entry of entries) entry.snapshot = undefined
    const windows = entries.flatMap(({ views }) => [...views])
    const change = { messages: new Set(changedMessages), windows }
    changedMessages.clear()
    changedEntries.clear()
    for (const listener of this.#listeners) listener(change)
  }

  #planQuestions(): void {
    const isAsking = [...this.#entries()].some(({ asked }) => asked.size > 0)
    if (!isAsking || this.#askTimer !== undefined) return
    this.#askTimer = setTimeout(() => {
      this.#ask().catch(() => undefined)
    }, this.#limits.askAfterMs)
  }

  /** Asks the server about messages that arrived for narrows that the client cannot judge. */
  async #ask(): Promise<void> {
    const epoch = this.#epoch
    for (const entry of [...this.#entries()]) {
      const ids = [...entry.asked].slice(0, maxQuestions)
      if (ids.length === 0) continue
      // What happens to a message while the server is asked puts it here again.
      for (const id of ids) entry.asked.delete(id)
      try {
        const found = await this.#options.match(ids, toNarrowTerms(entry))
        if (epoch !== this.#epoch) return
        for (const id of ids) if (!entry.asked.has(id)) this.#store.setMatch(entry, id, found[id])
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

  #leave(entry: KeptEntry): void {
    entry.shownBy--
    if (entry.shownBy > 0) return
    const isKept = !entry.isStale && this.#store.isLive(entry) && !entry.narrow.isOfUnread
    if (isKept) entry.segments = trimSegments(entry.segments, entry.anchor, this.#limits.maxKept)
    else this.#store.entries.delete(entry.narrow.key)
    this.#store.sweep()
    this.#finish()
  }

  /** Drops the windows that were shown longest ago, and trims those that are shown. */
  #keepLimits(): void {
    const { maxMessages, maxWindows, maxKept } = this.#limits
    const { entries, messages } = this.#store
    if (entries.size <= maxWindows && messages.size <= maxMessages) return
    this.#store.sweep()
    const hidden = [...this.#entries()].filter(({ shownBy }) => shownBy === 0)
    for (const entry of hidden.sort((a, b) => a.lastShown - b.lastShown)) {
      if (entries.size <= maxWindows && messages.size <= maxMessages) return
      entries.delete(entry.narrow.key)
      this.#store.sweep()
    }
    if (messages.size <= maxMessages) return
    for (const entry of this.#entries()) {
      entry.segments = trimSegments(entry.segments, entry.anchor, maxKept)
      this.#store.changedEntries.add(entry)
    }
    this.#store.sweep()
  }
}

/** The anchor of `newest`, as the server understands it. */
const newest = 1e16
/** Messages per question. */
const maxQuestions = 1_000

/** Terms for a request. Several texts to search for are one query, also for `matches_narrow`. */
function toNarrowTerms({ narrow: { terms, searchText } }: Entry): NarrowTerm[] {
  const others = terms.filter(({ operator }) => operator !== 'search')
  const search = searchText === undefined ? [] : [{ operator: 'search', operand: searchText }]
  return [...others, ...search].map((term) => ({ negated: false, ...term }))
}
