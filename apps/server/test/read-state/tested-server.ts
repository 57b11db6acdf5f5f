import assert from 'node:assert/strict'
import {
  defaultGeneration,
  type MessageId,
  type OrganizationId,
  Role,
  type StreamId,
  type UserId,
} from '@oxbow/contract'
import { applyEvent, type State } from '@oxbow/sdk'
import {
  drainQueue,
  type NodeName,
  type Person,
  type Registration,
  startWorld,
  type World,
} from '@oxbow/testkit'
import { authenticate } from '../../src/identity/authenticate.ts'
import { raiseHorizon } from '../../src/messages/flags/test/raise-horizon.ts'
import { postMessage } from '../../src/messages/send/post-message.ts'
import { findMaxMessageId, listStarred } from '../../src/messages/unread/own-messages.ts'
import { readUnread } from '../../src/messages/unread/read-unread.ts'
import type { Reader } from '../../src/messages/visibility.ts'
import { allowPause, openDatabase } from '../../src/platform/database/database.ts'
import { inTransaction } from '../../src/platform/database/transaction.ts'
import {
  add,
  join,
  type Model,
  type ModelStream,
  type Name,
  names,
  newMessage,
  type ReadState,
  readStateOf,
} from './model.ts'

const registration: Registration = {
  event_types: [
    'realm_user',
    'stream',
    'subscription',
    'muted_topics',
    'message',
    'update_message',
    'delete_message',
    'update_message_flags',
    'starred_messages',
  ],
}

/** A message that has an id but is not committed yet. */
export interface Held {
  id: MessageId
  stream: ModelStream
  commit(): Promise<void>
}

/** The server that is compared with the model. */
export class TestedServer implements AsyncDisposable {
  readonly world: World
  readonly people: Readonly<Record<Name, Person>>
  readonly outcomes: Record<string, { done: number; refused: number }> = {}
  held: (Held & { topic: string; sender: Name })[] = []
  #heldDatabase: ReturnType<typeof openDatabase>
  #states = new Map<Name, State>()
  #runs = 0
  #steps = 0

  constructor(world: World, people: Record<Name, Person>) {
    this.world = world
    this.people = people
    const { config } = world.nodes.a.app
    this.#heldDatabase = openDatabase({ ...config, database_pool_size: 10 }, () => {})
  }

  outcomesOf(kind: string): { done: number; refused: number } {
    this.outcomes[kind] ??= { done: 0, refused: 0 }
    return this.outcomes[kind]
  }

  idOf = (name: Name): UserId => this.people[name].user_id

  /** Resets the server to three public streams without messages, one with everyone subscribed. */
  async beginRun(): Promise<Model> {
    await this.commitAll()
    this.#runs++
    const { database, owner } = this.world
    const old = await database.query<{ id: StreamId }>('select id::int from stream where archived_at is null')
    for (const { id } of old) await owner.streams.archive({ stream_id: id })
    for (const table of [
      'message',
      'user_message',
      'read_mark',
      'message_stay',
      'message_edit',
      'event_queue',
    ])
      await database.query(`delete from ${table}`)
    await database.query('update user_setting set read_to = 0')
    const model: Model = { streams: [], messages: [], mutedTopics: new Set() }
    for (const [index, members] of [
      [...names],
      ['mia', 'gus'] as const,
      ['owner', 'nora'] as const,
    ].entries()) {
      const name = `stream ${this.#runs}.${index}`
      const { stream_id } = await this.world.stream(name, {
        members: members.map((member) => this.people[member]),
      })
      const stream: ModelStream = {
        id: stream_id,
        name,
        members: new Set(),
        everMembers: new Set(),
        mutedBy: new Set(),
      }
      for (const member of members) join(model, stream, member)
      model.streams.push(stream)
      const { id } = await owner.messages.send({
        type: 'stream',
        to: stream_id,
        topic: 'moles',
        content: 'Hi.',
      })
      add(model, newMessage(id as MessageId, 'owner', stream, { topic: 'moles' }))
    }
    await this.world.settled()
    for (const name of names) this.#states.set(name, await this.people[name].events.register(registration))
    return model
  }

  /**
   * Raises the horizon to the oldest held message, so that read positions advance regardless of other
   * transactions in the cluster.
   */
  async raiseHorizon(): Promise<void> {
    const lowest = Math.min(...this.held.map(({ id }) => id))
    await raiseHorizon(this.world, Number.isFinite(lowest) ? lowest - 1 : undefined)
  }

  /** Sends a message with the server's code, in a transaction that stays open. */
  async hold(sender: Name, stream: ModelStream, topic: string, content: string): Promise<void> {
    const { app } = this.world.nodes.a
    const caller = {
      subdomain: '',
      origin: '',
      address: '127.0.0.1',
      client: 'test',
      legacyNames: false,
      legacyVersions: false,
      generation: defaultGeneration,
    }
    const { email, api_key } = this.people[sender]
    const actor = await authenticate(app, caller, { email, api_key })
    const sent = Promise.withResolvers<MessageId>()
    const released = Promise.withResolvers<void>()
    const over = inTransaction(this.#heldDatabase.db, async (db) => {
      await allowPause(db, 600)
      const posted = { recipient: { kind: 'stream' as const, stream: stream.id }, topic, content }
      sent.resolve(await postMessage({ ...app, db }, actor, posted))
      await released.promise
    })
    over.catch(sent.reject)
    const id = await sent.promise
    const commit = async () => {
      released.resolve()
      await over
    }
    this.held.push({ id, stream, topic, sender, commit })
  }

  isHeld(stream: ModelStream | undefined): boolean {
    return this.held.some((message) => message.stream === stream)
  }

  async commitAll(): Promise<void> {
    for (const { commit } of this.held.splice(0)) await commit()
  }

  /**
   * Asserts that all users see the expected state, both in fresh responses and in states updated by
   * events. Users and nodes alternate.
   */
  async compare(model: Model): Promise<void> {
    this.#steps++
    await this.world.settled()
    await Promise.all(
      names.map(async (name, index) => {
        const node: NodeName = (this.#steps + index) % 2 === 0 ? 'a' : 'b'
        const expected = readStateOf(model, name, this.idOf)
        assert.deepEqual(await this.#readState(name, node), expected, `what ${name} sees at ${node}`)
        await this.#applyAndCompare(name, node, expected)
      }),
    )
  }

  async #readState(name: Name, node: NodeName): Promise<ReadState> {
    const { messages } = this.people[name].on(node)
    const all = { anchor: 'oldest', num_before: 0, num_after: 1_000 }
    const received = await messages.list(all)
    const unread = await messages.list({ ...all, narrow: [{ operator: 'is', operand: 'unread' }] })
    const first = await messages.list({ anchor: 'first_unread', num_before: 0, num_after: 0 })
    const { db } = this.world.nodes[node].app
    const reader: Reader = {
      organization_id: this.world.organization_id as OrganizationId,
      user_id: this.idOf(name),
      role: name === 'gus' ? Role.guest : Role.member,
    }
    // Reads the state of a register request without opening a queue.
    const unreadMessages = (await readUnread(db, reader)).pieces.join('')
    return {
      unread: JSON.parse(unreadMessages) as ReadState['unread'],
      unreadIds: unread.messages.map(({ id }) => id),
      firstUnread: first.anchor,
      flags: Object.fromEntries(received.messages.map(({ id, flags }) => [id, flags])),
      newest: await findMaxMessageId(db, reader),
      starred: await listStarred(db, reader),
    }
  }

  /**
   * Applies new events to the user's state and compares it with the expected one, except for senders:
   * an updated state may still list senders without unread messages.
   */
  async #applyAndCompare(name: Name, node: NodeName, { unread, starred }: ReadState): Promise<void> {
    const before = this.#states.get(name)
    assert.ok(before)
    const events = await drainQueue(this.people[name].on(node), before)
    const after = events.reduce((state, event) => applyEvent(state, event, registration), before)
    const withoutSenders = (unread: ReadState['unread'] | undefined) => ({
      ...unread,
      streams: unread?.streams.map(({ sender_ids, ...topic }) => topic),
    })
    const about = `what ${name} knows by ${JSON.stringify(events)}`
    assert.deepEqual(withoutSenders(after.unread_msgs), withoutSenders(unread), about)
    assert.deepEqual(after.starred_messages, starred, about)
    this.#states.set(name, { ...after, last_event_id: events.at(-1)?.id ?? before.last_event_id })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.commitAll()
    await this.#heldDatabase.close()
    await this.world[Symbol.asyncDispose]()
  }
}

export async function startTestedServer(): Promise<TestedServer> {
  const world = await startWorld({ ownServer: true })
  const [mia, nora] = await world.people('mia', 'nora')
  const gus = await world.person('gus', 'guest')
  return new TestedServer(world, { owner: world.owner, mia, nora, gus })
}
