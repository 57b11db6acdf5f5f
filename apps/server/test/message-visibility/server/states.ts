import assert from 'node:assert/strict'
import { applyEvent, type Client, type State } from '@oxbow/sdk'
import { drainQueue, type NodeName } from '@oxbow/testkit'
import { knownDifferences } from '../model/known-differences.ts'
import { type Model, type Name, names } from '../model/model.ts'
import type { TestedServer } from './tested-server.ts'

export const stateTypes = [
  ...['message', 'update_message', 'delete_message', 'update_message_flags', 'starred_messages'],
  ...['realm_user', 'subscription', 'stream', 'muted_topics'],
]

/**
 * Keeps a registered state per user up to date by applying events, and compares it with a fresh
 * state.
 */
export class States {
  readonly #server: TestedServer
  readonly #kept = new Map<Name, State>()

  constructor(server: TestedServer) {
    this.#server = server
  }

  forget(name: Name): void {
    this.#kept.delete(name)
  }

  async open(model: Model): Promise<void> {
    const missing = names.filter((name) => model.accounts[name].isActive && !this.#kept.has(name))
    await Promise.all(missing.map(async (name) => this.#kept.set(name, await this.#register(name, 'a'))))
  }

  #register(name: Name, at: NodeName): Promise<State> {
    return this.#server.client(name, at).events.register({ event_types: stateTypes })
  }

  /** Returns a fresh state, after asserting that the kept state equals it. */
  async take(name: Name, at: NodeName, model: Model): Promise<State> {
    const fresh = await this.#register(name, at)
    const state = this.#kept.get(name)
    if (state) this.#kept.set(name, await checkKept(this.#server.client(name, at), name, state, fresh, model))
    return fresh
  }
}

/** Applies new events to the kept state, asserts that it equals the fresh state, and returns it. */
export async function checkKept(
  client: Client,
  name: Name,
  stateBefore: State,
  fresh: State,
  { changes }: Model,
): Promise<State> {
  if (knownDifferences.markAllOvertakes && [...changes.uncertain].some((pair) => pair.startsWith(`${name} `)))
    return fresh
  const events = await drainQueue(client, stateBefore)
  const folded = events.reduce((state, event) => applyEvent(state, event, {}), stateBefore)
  assert.deepEqual(comparable(folded), comparable(fresh), `${name}, after ${JSON.stringify(events)}`)
  return { ...folded, last_event_id: events.at(-1)?.id ?? stateBefore.last_event_id }
}

/**
 * Returns the fields to compare. `sender_ids` is omitted, because a kept state may still list
 * senders whose messages were all read.
 */
function comparable({ unread_msgs, starred_messages }: State) {
  const streams = unread_msgs?.streams.map(({ sender_ids, ...rest }) => rest)
  return { unread_msgs: { ...unread_msgs, streams }, starred_messages }
}
