import { type MessageId, Role, type StreamId } from '@oxbow/contract'
import { type NodeName, type Person, startWorld, type World } from '@oxbow/testkit'
import { retryUnavailable } from './retry-unavailable.ts'

/** Accounts in the histories. `mia` and `gus` read through windows; everyone writes. */
export const names = ['owner', 'ada', 'mia', 'gus'] as const
export type Name = (typeof names)[number]

export const readerNames = ['mia', 'gus'] as const satisfies Name[]
export type ReaderName = (typeof readerNames)[number]

export interface SentMessage {
  id: MessageId
  by: Name
}

const roles: Record<Name, Role> = {
  owner: Role.owner,
  ada: Role.administrator,
  mia: Role.member,
  gus: Role.guest,
}

export const streamWords = ['garden', 'pond', 'attic', 'cellar'] as const
export type StreamWord = (typeof streamWords)[number]

/** The word that alerts mia and gus. */
const alertWord = 'moles'

/** A server with accounts that all histories share. Streams and messages are new in each history. */
export class Scene implements AsyncDisposable {
  readonly world: World
  readonly people: Readonly<Record<Name, Person>>
  readonly streams = new Map<StreamWord, StreamId>()
  /** Messages of the history in the order of their ids, including deleted ones. */
  messages: SentMessage[] = []
  /**
   * Numbers of successful and refused actions by kind, from which a test checks that each kind was
   * tried.
   */
  readonly outcomes: Record<string, { done: number; refused: number }> = {}
  #histories = 0
  #calls = 0

  constructor(world: World, people: Record<Name, Person>) {
    this.world = world
    this.people = people
  }

  static async start(): Promise<Scene> {
    const world = await startWorld()
    const people = {
      owner: world.owner,
      ada: await world.person('ada', 'administrator'),
      mia: await world.person('mia'),
      gus: await world.person('gus', 'guest'),
    }
    const queryValues = [world.organization_id]
    await world.database.query(
      'update organization set allow_message_deleting = true where id = $1',
      queryValues,
    )
    for (const name of readerNames) await people[name].alertWords.add({ alert_words: [alertWord] })
    return new Scene(world, people)
  }

  addMessage(id: MessageId, by: Name): void {
    this.messages.push({ id, by })
    this.messages.sort((a, b) => a.id - b.id)
  }

  /** Returns a client. Nodes alternate from call to call. */
  client(name: Name) {
    const node: NodeName = this.#calls++ % 2 === 0 ? 'a' : 'b'
    return this.people[name].on(node)
  }

  async begin(joined: Readonly<Record<ReaderName, readonly StreamWord[]>>): Promise<void> {
    await this.#forget()
    this.#histories++
    const { ada, owner } = this.people
    const kinds = {
      garden: {},
      pond: {},
      attic: { invite_only: true, history_public_to_subscribers: true },
      cellar: { invite_only: true, history_public_to_subscribers: false },
    }
    const created = streamWords.map((word) => {
      const readers = readerNames.filter((name) => joined[name].includes(word))
      const members = [ada, owner, ...readers.map((name) => this.people[name])]
      const subscriptions = [{ name: `${word} ${this.#histories}` }]
      const principals = members.map(({ user_id }) => user_id)
      return retryUnavailable(() =>
        ada.subscriptions.subscribe({ subscriptions, principals, ...kinds[word] }),
      )
    })
    await Promise.all(created)
    const rows = await this.world.database.query<{ id: StreamId; name: string }>(
      'select id::int, name from stream where organization_id = $1 and archived_at is null',
      [this.world.organization_id],
    )
    this.streams.clear()
    for (const { id, name } of rows) this.streams.set(name.split(' ')[0] as StreamWord, id)
    this.messages = []
  }

  /** Archives the streams, deletes the messages and restores the roles of the previous history. */
  async #forget(): Promise<void> {
    const { world, people } = this
    const archives = this.streams
      .values()
      .map((stream_id) => this.attempt('archive', () => people.owner.streams.archive({ stream_id })))
    await Promise.all(archives)
    const accounts = await world.database.query<{ id: number; role: Role }>(
      'select id::int, role from user_account where organization_id = $1',
      [world.organization_id],
    )
    for (const name of readerNames) {
      const { user_id } = people[name]
      const role = accounts.find(({ id }) => id === user_id)?.role
      if (role !== roles[name])
        await retryUnavailable(() => people.owner.users.update({ user_id, role: roles[name] }))
    }
    const tables = ['message', 'user_message', 'read_mark', 'message_edit', 'message_stay', 'muted_topic']
    const deletes = tables.map((table) => `of_${table} as (delete from ${table} where organization_id = $1)`)
    // Uses one statement, because the nodes clear their caches after each.
    await world.database.query(`with ${deletes.join()} select`, [world.organization_id])
  }

  /** Tries an action, which the server may refuse. */
  async attempt(kind: string, action: () => Promise<unknown>): Promise<void> {
    this.outcomes[kind] ??= { done: 0, refused: 0 }
    try {
      await retryUnavailable(action)
      this.outcomes[kind].done++
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'ApiError') throw error
      this.outcomes[kind].refused++
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]()
  }
}
