import type { MessageId, UserId } from '@oxbow/contract'
import { omitBotSecrets, type State } from '@oxbow/sdk/browser'
import type { StoredWindow, WindowMessage } from '@oxbow/sdk/windows'
import { effect } from '@preact/signals'
import { confirmedMessage, listStorableWindows, nameInMessages, windowChanges } from '../messages/windows.ts'
import type { DirectoryColumns } from '../people/directory.ts'
import { accountState } from '../store.ts'
import { build } from './build.ts'
import type { Change } from './database.ts'
import { clearDevice, deviceAccount, readDevice, writeDevice } from './device.ts'
import type { Kept } from './kept.ts'
import { findWriterTerm } from './tabs.ts'

/** Minimum time between writes. */
const batchMs = 3_000
const limits = { maxWindows: 12, maxMessages: 200 }
/** Keys of records that are not fields of the state; no field has these names. */
const [buildKey, peopleKey, namesKey] = ['@build', '@people', '@names']

/** Stores that only this module writes, all in one transaction. */
const cached = ['state', 'windows', 'messages'] as const

let writtenState: Readonly<Record<string, unknown>> = {}
let writtenMessages: ReadonlyMap<MessageId, WindowMessage> = new Map()
let writtenWindows = 0
let people: DirectoryColumns | undefined
let writtenPeople: typeof people
let writtenTerm: number | undefined
let isWriting = false
let hasFailed = false

/**
 * Reads the state that an earlier page of this build stored for the account; undefined if there is
 * none.
 */
export async function readStoredState(): Promise<Kept | undefined> {
  const found = await readDevice(cached)
  if (!found || found.state.get(buildKey) !== build) return undefined
  const { [buildKey]: _build, [peopleKey]: listed, ...state } = Object.fromEntries(found.state)
  if (state.user_id !== deviceAccount?.user_id || !state.queue_id) return undefined
  const { [namesKey]: names, ...windows } = Object.fromEntries(found.windows)
  const kept: Kept = {
    state,
    windows: Object.values(windows) as StoredWindow[],
    messages: found.messages as ReadonlyMap<MessageId, WindowMessage>,
    names: (names ?? []) as [UserId, string][],
    people: listed as Kept['people'],
  }
  people = kept.people
  return kept
}

/** Starts to store changes on the device. Only the tab that `findWriterTerm` elects writes them. */
export function startStoring(): void {
  if (!deviceAccount?.isTrusted) return
  let isPlanned = false
  effect(() => {
    accountState.value
    windowChanges.value
    if (isPlanned) return
    isPlanned = true
    setTimeout(() => {
      isPlanned = false
      void writeChanges()
    }, batchMs)
  })
  addEventListener('pagehide', () => void writeChanges())
}

/** Stores the names of all accounts with the next batch. */
export function storePeople(columns: DirectoryColumns): void {
  people = columns
}

/** Writes state, windows and messages in one transaction, so that they are always consistent. */
async function writeChanges(): Promise<void> {
  const current = accountState.peek()
  const term = findWriterTerm()
  if (!current || isWriting || hasFailed || term === undefined) return
  // No secret arrives here; if one did, it still must not be stored.
  const state = omitBotSecrets(current)
  isWriting = true
  const isNew = term !== writtenTerm
  if (isNew) forgetWritten()
  const windows = listStorableWindows(limits)
  const ids = windows.flatMap(({ segments }) => segments.flatMap((segment) => segment.ids))
  const messages = new Map(
    ids.flatMap((id) => {
      const message = confirmedMessage(id)
      return message ? [[id, message] as const] : []
    }),
  )
  const changes: Change[] = [
    ...changedFields(state),
    ...(people === writtenPeople ? [] : [{ store: 'state' as const, key: peopleKey, value: people }]),
    ...windows.map((value, index) => ({ store: 'windows' as const, key: String(index), value })),
    ...Array.from({ length: Math.max(writtenWindows - windows.length, 0) }, (_, index) => ({
      store: 'windows' as const,
      key: String(windows.length + index),
    })),
    { store: 'windows', key: namesKey, value: listNames(messages.values()) },
    ...changedMessages(messages),
  ]
  const isWritten = await writeDevice(changes, isNew ? { replaces: cached } : {})
  isWriting = false
  if (!isWritten) {
    // The disk is full, or the database was deleted. A partial copy is useless, and would take space
    // from drafts and unsent messages.
    hasFailed = true
    await clearDevice(cached)
    return
  }
  writtenState = state as unknown as Record<string, unknown>
  writtenMessages = messages
  writtenWindows = windows.length
  writtenPeople = people
  writtenTerm = term
}

/**
 * Marks everything as not written yet, because another tab may have written since this tab read the
 * records.
 */
function forgetWritten(): void {
  writtenState = {}
  writtenMessages = new Map()
  writtenWindows = 0
  writtenPeople = undefined
}

function changedFields(state: State): Change[] {
  const changed = Object.entries(state).filter(([name, value]) => writtenState[name] !== value)
  return [
    { store: 'state', key: buildKey, value: build },
    ...changed.map(([key, value]) => ({ store: 'state' as const, key, value })),
  ]
}

function changedMessages(messages: ReadonlyMap<MessageId, WindowMessage>): Change[] {
  const changed = [...messages].filter(([id, message]) => writtenMessages.get(id) !== message)
  const deletedIds = [...writtenMessages.keys()].filter((id) => !messages.has(id))
  return [
    ...changed.map(([key, value]) => ({ store: 'messages' as const, key, value })),
    ...deletedIds.map((key) => ({ store: 'messages' as const, key })),
  ]
}

/** Lists the ids and names of all people who occur in messages. */
function listNames(messages: Iterable<WindowMessage>): [UserId, string][] {
  const ids = new Set<UserId>()
  for (const { sender_id, user_ids = [], reactions } of messages) {
    ids.add(sender_id)
    for (const id of user_ids) ids.add(id)
    for (const { user_id } of reactions) ids.add(user_id)
  }
  return [...ids].flatMap((id) => {
    const name = nameInMessages(id)
    return name === undefined ? [] : [[id, name]]
  })
}
