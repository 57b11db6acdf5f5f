import type { Event, UserId } from '@oxbow/contract'
import { computed, signal } from '@preact/signals'
import { readRefusal } from '../../text/refusal.ts'
import { client } from '../client.ts'
import { onFollowed } from '../events.ts'
import { ownId } from '../store.ts'
import { applyToRecent, type RecentList, readConversation, sortRecent } from './recent-list.ts'

export type { RecentConversation } from './recent-list.ts'

/** Conversations per request. */
const pageSize = 100
/** Delay of a refresh. Moves often come in groups, which one request then handles. */
const refreshMs = 500

const list = signal<RecentList>(new Map())

/** The loaded conversations of the account, newest first. */
export const recentConversations = computed(() => sortRecent(list.value))

export interface RecentStatus {
  readonly isLoaded: boolean
  readonly hasOlder: boolean
  /** The reason why the last request failed. */
  readonly problem: string | undefined
}

export const recentStatus = signal<RecentStatus>({ isLoaded: false, hasOlder: true, problem: undefined })

/** The cursor of the next page. */
let nextBefore: number | undefined
let request: Promise<void> | undefined
/** Events that arrived while a page was being fetched; the response may lack them. */
let missed: Event[] | undefined
let isRefreshPlanned = false

onFollowed((followed) => {
  if (!recentStatus.peek().isLoaded && !request) return
  if (followed.kind === 'state') planRefresh()
  else {
    missed?.push(followed.event)
    apply(followed.event)
  }
})

function apply(event: Event): void {
  const own = ownId.peek()
  if (own === undefined) return
  const next = applyToRecent(list.peek(), event, own)
  if (next) list.value = next
  else planRefresh()
}

function planRefresh(): void {
  if (isRefreshPlanned) return
  isRefreshPlanned = true
  setTimeout(() => void refresh(), refreshMs)
}

/** Loads the newest conversations, unless they are loaded. */
export function loadRecent(): Promise<void> {
  return recentStatus.peek().isLoaded ? Promise.resolve() : fetchAndStore(() => fetchPages(1))
}

/** Loads older conversations. */
export function loadOlderRecent(): Promise<void> {
  const { isLoaded, hasOlder } = recentStatus.peek()
  if (!isLoaded) return loadRecent()
  return hasOlder ? fetchAndStore(() => fetchPage({ list: list.peek(), nextBefore })) : Promise.resolve()
}

/** Fetches all loaded conversations again. */
async function refresh(): Promise<void> {
  while (request) await request
  isRefreshPlanned = false
  await fetchAndStore(() => fetchPages(list.peek().size))
}

interface Pages {
  readonly list: RecentList
  /** Undefined if there are no older conversations. */
  readonly nextBefore: number | undefined
}

/** Fetches pages into the list, unless a request is already running. Records the reason of a failure. */
function fetchAndStore(fetch: () => Promise<Pages>): Promise<void> {
  request ??= (async () => {
    missed = []
    try {
      const fetched = await fetch()
      list.value = fetched.list
      nextBefore = fetched.nextBefore
      recentStatus.value = { isLoaded: true, hasOlder: nextBefore !== undefined, problem: undefined }
    } catch (error) {
      recentStatus.value = { ...recentStatus.peek(), problem: readRefusal(error).reason }
    } finally {
      request = undefined
      const events = missed ?? []
      missed = undefined
      for (const event of events) apply(event)
    }
  })()
  return request
}

/** Fetches pages, newest conversation first, until there are at least `count` conversations. */
async function fetchPages(count: number): Promise<Pages> {
  let found = await fetchPage({ list: new Map(), nextBefore: undefined })
  while (found.list.size < count && found.nextBefore !== undefined) found = await fetchPage(found)
  return found
}

async function fetchPage(before: Pages): Promise<Pages> {
  const { conversations, next_before } = await client.messages.conversations({
    limit: pageSize,
    ...(before.nextBefore !== undefined && { before: before.nextBefore }),
  })
  const next = new Map(before.list)
  for (const conversation of conversations) {
    const read = readConversation(conversation, (ownId.peek() ?? 0) as UserId)
    if ((next.get(read.key)?.newest ?? 0) < read.newest) next.set(read.key, read)
  }
  return { list: next, nextBefore: next_before }
}
