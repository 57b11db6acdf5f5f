import { deviceAccount } from './device.ts'

/** Messages between the tabs of an account, by kind. Other modules extend this interface. */
export interface TabMessages {
  'signed out': null
}

type Kind = keyof TabMessages
type Listener<K extends Kind> = (message: TabMessages[K]) => void

const listeners = new Map<Kind, Set<Listener<never>>>()

/**
 * Undefined if the account is unknown or the browser lacks `BroadcastChannel`; then tabs do not
 * communicate.
 */
const channel =
  deviceAccount && typeof BroadcastChannel === 'function'
    ? new BroadcastChannel(`oxbow/${deviceAccount.user_id}`)
    : undefined

if (channel)
  channel.onmessage = ({ data }: MessageEvent<{ kind: Kind; message: never }>) => {
    for (const listener of listeners.get(data.kind) ?? []) listener(data.message)
  }

/** Whether tabs can exchange messages. */
export const canMessageTabs = channel !== undefined

/** Sends a message to all other tabs of the account. */
export function postToTabs<K extends Kind>(kind: K, message: TabMessages[K]): void {
  channel?.postMessage({ kind, message })
}

export function onTabMessage<K extends Kind>(kind: K, listener: Listener<K>): void {
  const known = listeners.get(kind) ?? new Set()
  listeners.set(kind, known.add(listener as Listener<never>))
}
