import { createBrowserClient } from '@oxbow/sdk/browser'
import { batch, effect, signal, untracked } from '@preact/signals'
import { connection, hasEnded } from '../connection.ts'
import { readAccount } from '../device/account.ts'
import { onTabMessage } from '../device/channel.ts'
import { deviceAccount, keepOnlyTexts } from '../device/device.ts'
import { accountState } from '../store.ts'

/** While the session has ended, the cookie is checked at this interval for another sign-in. */
const checkMs = 1_000
/** A check of the session is given up after this time. */
const maxCheckMs = 5_000

let ownUserId = deviceAccount?.user_id

/**
 * Returns the id of the account that this page was opened for, which all requests name; undefined until it
 * is known. A browser has one session, so another account may have signed in since.
 */
export function findUserId(): number | undefined {
  ownUserId ??= accountState.peek()?.user_id
  return ownUserId
}

/**
 * Name of the account that this page was opened for; set when its session has ended after the page was
 * connected.
 */
export const endedName = signal<string | undefined>(undefined)

/** Makes requests whether or not the session of this page has ended. */
const checker = createBrowserClient({ url: '', credentials: 'session', findUserId })
const anyAccount = createBrowserClient({ url: '', credentials: 'session' })

/** Returns the name of the account that is signed in in this browser, whichever it is. */
export async function findSignedInName(): Promise<string | undefined> {
  return anyAccount.users.me().then(
    ({ full_name }) => full_name,
    () => undefined,
  )
}

/** Whether the server refused a request because of its session. */
export const isRefusedSession = (error: unknown): boolean => {
  const { status, body } = error as { status?: number; body?: { code?: unknown } }
  return status === 401 || body?.code === 'OTHER_ACCOUNT'
}

type Found = 'own' | 'signed out' | 'other account' | undefined

/** Asks the server whose session the browser has; undefined if it does not answer. */
async function findSession(): Promise<Found> {
  try {
    const { user_id } = await checker.users.me({}, { signal: AbortSignal.timeout(maxCheckMs) })
    // A node of an older release does not compare the account.
    return user_id === findUserId() ? 'own' : 'other account'
  } catch (error) {
    if (!isRefusedSession(error)) return undefined
    return (error as { status?: number }).status === 401 ? 'signed out' : 'other account'
  }
}

let checking: Promise<void> | undefined

/**
 * Checks the session after a request was refused, and ends the page's session if it is no longer that of
 * its account. When the same account signs in again, requests with the former session are refused while the
 * new one is valid.
 */
export function checkSession(): Promise<void> {
  checking ??= check().finally(() => {
    checking = undefined
  })
  return checking
}

async function check(): Promise<void> {
  const found = await findSession()
  if (found === 'own') {
    if (hasEnded.peek()) resume()
  } else if (found) end(found)
  else if (!hasEnded.peek()) end(isOther() ? 'other account' : 'signed out')
}

/** Whether another account is signed in, by the cookie of the account. */
function isOther(): boolean {
  const now = readAccount(document.cookie)?.user_id
  return now !== undefined && now !== findUserId()
}

/**
 * Ends the session of this page: removes the messages and everything else that it shows. Texts that were
 * not sent stay in memory and, on trusted devices, on the device, for the same account.
 */
function end(status: 'signed out' | 'other account'): void {
  batch(() => {
    if (!hasEnded.peek() && wasLive) endedName.value = accountState.peek()?.full_name
    accountState.value = undefined
    connection.value = { status }
  })
  clearing = keepOnlyTexts()
}

let wasLive = false
let clearing = Promise.resolve()

/** Resolves when the messages that the device stores have been deleted after the end of the session. */
export const whenCleared = (): Promise<void> => clearing

/**
 * Continues after the account has signed in again. A reload is the safest way, but would lose texts that are
 * only in memory.
 */
function resume(): void {
  if (hasTexts()) connection.value = { status: 'starting' }
  else location.reload()
}

/** Resolves when this page has a session, which may be at once. */
export function whenSignedIn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = effect(() => {
    if (!hasEnded.value) resolve()
  })
  return promise.finally(stop)
}

/** Whether this page has texts that are stored nowhere else. */
let hasTexts = () => false

/**
 * Notices when another tab signs out, when another account signs in in this browser, and when the account of
 * this page signs in again. `hasUnsavedTexts` returns whether texts would be lost if the page were closed.
 */
export function startWatchingSession(hasUnsavedTexts: () => boolean): void {
  hasTexts = () => untracked(hasUnsavedTexts)
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') compareCookie()
  })
  addEventListener('focus', () => {
    if (hasEnded.peek()) void checkSession()
  })
  // Another tab of the account is connected, or has found that the session has ended.
  onTabMessage('connection', ({ connection: { status } }) => {
    if (hasEnded.peek() ? status === 'live' : status === 'signed out' || status === 'other account')
      void checkSession()
  })
  onTabMessage('signed out', () => location.assign('/login?signed_out'))
  addEventListener('beforeunload', (event) => {
    if (hasEnded.peek() && hasTexts()) event.preventDefault()
  })
  effect(() => {
    wasLive ||= connection.value.status === 'live'
  })
  effect(() => {
    if (!hasEnded.value) return
    let before = document.cookie
    const timer = setInterval(() => {
      if (document.cookie !== before) void checkSession()
      before = document.cookie
    }, checkMs)
    return () => clearInterval(timer)
  })
}

/** Compares the account of the browser with that of this page, without a request in the usual case. */
function compareCookie(): void {
  if (hasEnded.peek() || (deviceAccount && !readAccount(document.cookie))) void checkSession()
  else if (isOther()) end('other account')
}
