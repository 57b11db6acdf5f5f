import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Event, type OrganizationId, Role, type StreamId } from '@oxbow/contract'
import { applyEvent, type State } from '@oxbow/sdk'
import {
  drainQueue,
  type NodeName,
  type Person,
  type Registration,
  startWorld,
  type World,
} from '@oxbow/testkit'
import {
  initialModel,
  type Lists,
  listsOf,
  type Model,
  type Name,
  names,
  type ReadState,
  readStateOf,
} from './model.ts'

const registration: Registration = {
  include_subscribers: true,
  event_types: [
    'realm_user',
    'stream',
    'subscription',
    'default_streams',
    'default_stream_groups',
    'muted_topics',
  ],
}

/** The state of each user, updated by the events of a queue. */
type Watches = Map<Name, State>

/** The server that is compared with the model. */
export class TestedServer implements AsyncDisposable {
  readonly world: World
  readonly people: Readonly<Record<Name, Person>>
  readonly outcomes: Record<string, { done: number; refused: number }> = {}
  #watches: Watches = new Map()
  #runs = 0
  #marks = 0
  #steps = 0

  constructor(world: World, people: Record<Name, Person>) {
    this.world = world
    this.people = people
  }

  outcomesOf(kind: string): { done: number; refused: number } {
    this.outcomes[kind] ??= { done: 0, refused: 0 }
    return this.outcomes[kind]
  }

  /** Returns a mark that no name contained before. */
  nextMark(): string {
    return `#${this.#runs}.${++this.#marks}#`
  }

  async findStream(name: string): Promise<StreamId> {
    const [found] = await this.world.database.query<{ id: StreamId }>(
      'select id::int from stream where name = $1',
      [name],
    )
    assert.ok(found, `${name} does not exist`)
    return found.id
  }

  /** Resets roles, and removes all streams. */
  async beginRun(): Promise<Model> {
    this.#runs++
    this.#marks = 0
    const { database, owner } = this.world
    const model = initialModel()
    const accounts = await database.query<{ id: number; role: Role; is_active: boolean }>(
      // Owners come before their bots, because a bot may have no higher role than its owner.
      'select id::int, role::int, is_active from user_account order by bot_owner_id nulls first',
    )
    for (const { id, role, is_active } of accounts) {
      const name = this.#nameOf(id)
      const { role: expectedRole } = model.accounts[name]
      const user_id = this.people[name].user_id
      if (!is_active) await owner.users.reactivate({ user_id })
      if (role === Role.guest && expectedRole !== Role.guest)
        await owner.users.update({ user_id, role: Role.member })
      if (role !== expectedRole) await owner.users.update({ user_id, role: expectedRole })
    }
    const streams = await database.query<{ id: StreamId }>(
      'select id::int from stream where archived_at is null',
    )
    for (const { id } of streams) await owner.streams.archive({ stream_id: id })
    await database.query('delete from event_queue')
    await this.#settle()
    this.#watches = new Map()
    await this.#keepWatches(model)
    return model
  }

  /** Asserts after a step that every user sees exactly the expected state. */
  async compare(before: Model, after: Model): Promise<void> {
    this.#steps++
    await this.#settle()
    await Promise.all(
      [...this.#watches].map(async ([name, state], index) => {
        if (!after.accounts[name].isActive) return
        const node: NodeName = (this.#steps + index) % 2 === 0 ? 'a' : 'b'
        const client = this.people[name].on(node)
        const fresh = await client.events.register(registration)
        const events = await drainQueue(client, state)
        checkEvents(name, events, after, readStateOf(before, name), readStateOf(after, name))
        const folded = events.reduce((state, event) => applyEvent(state, event, registration), state)
        const about = `${name} at ${node}, after ${JSON.stringify(events)}`
        assert.deepEqual(this.#listsIn(folded), listsOf(after, name), `${about}: not as the model has it`)
        checkMutedTopics(folded, readStateOf(after, name), about)
        assert.deepEqual(comparable(folded), comparable(fresh), `${about}: not as a fresh register has it`)
        this.#watches.set(name, { ...folded, last_event_id: events.at(-1)?.id ?? state.last_event_id })
      }),
    )
    await this.#keepWatches(after)
  }

  /** Opens and drops watched states, because queues end with their accounts. */
  async #keepWatches({ accounts }: Model): Promise<void> {
    for (const name of names) {
      if (!accounts[name].isActive) this.#watches.delete(name)
      else if (!this.#watches.has(name))
        this.#watches.set(
          name,
          await this.people[name].on(this.#runs % 2 ? 'a' : 'b').events.register(registration),
        )
    }
  }

  /** Waits until both nodes have seen every commit. */
  async #settle(): Promise<void> {
    const { database, nodes, organization_id } = this.world
    for (;;) {
      const [head] = await database.query<{ last_seq: number; isPending: boolean }>(
        `select last_seq::int, exists (select from outbox) as "isPending" from event_head where organization_id = $1`,
        [organization_id],
      )
      const isKnown = Object.values(nodes).every(({ app }) => {
        const followed = app.events.log.organizations.get(organization_id as OrganizationId)
        return !followed || followed.position >= (head?.last_seq ?? 0)
      })
      if (!head?.isPending && isKnown) return
      await sleep(1)
    }
  }

  #nameOf(id: number): Name {
    const name = names.find((name) => this.people[name].user_id === id)
    assert.ok(name, `nobody is ${id}`)
    return name
  }

  #listsIn(state: State): Lists {
    const listed = (entries: { name: string; subscribers?: number[] | undefined }[] = []) =>
      Object.fromEntries(
        entries.map(({ name, subscribers }) => [
          markIn(name),
          subscribers?.map((id) => this.#nameOf(id)).sort(byOrderOfNames),
        ]),
      )
    return {
      subscriptions: listed(state.subscriptions),
      unsubscribed: listed(state.unsubscribed),
      never_subscribed: listed(state.never_subscribed),
      streams: state.streams?.map(({ name }) => markIn(name)).sort() ?? [],
      realm_default_streams: state.realm_default_streams?.map(({ name }) => markIn(name)).sort() ?? [],
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]()
  }
}

export async function startTestedServer(): Promise<TestedServer> {
  const world = await startWorld({ ownServer: true })
  const [mia, nora] = await world.people('mia', 'nora')
  return new TestedServer(world, {
    owner: world.owner,
    ada: await world.person('ada', 'administrator'),
    mia,
    nora,
    gus: await world.person('gus', 'guest'),
    robin: await world.bot('robin', mia),
  })
}

const byOrderOfNames = (a: Name, b: Name) => names.indexOf(a) - names.indexOf(b)
const marksIn = (text: string): string[] => text.match(/#\d+\.\d+#/g) ?? []
const markIn = (name: string): string => marksIn(name)[0] ?? name

/**
 * Asserts that events concern only streams that the user could see before or after the step, and
 * that new information concerns only streams that the user can see after it.
 */
function checkEvents(
  name: Name,
  events: readonly Event[],
  { streams }: Model,
  before: ReadState,
  after: ReadState,
): void {
  for (const event of events) {
    const about = `${name} may not know this: ${JSON.stringify(event)}`
    const isList = event.type === 'default_streams' || event.type === 'default_stream_groups'
    const kind = isList ? 'defaults' : 'streams'
    for (const mark of marksIn(JSON.stringify(event)))
      assert.ok(before[kind].has(mark) || after[kind].has(mark), about)
    if (event.type === 'subscription' && (event.op === 'peer_add' || event.op === 'peer_remove')) {
      const mark = streams.find(({ id }) => id === event.stream_id)?.mark ?? ''
      assert.ok(after.members.has(mark) || (event.op === 'peer_remove' && before.members.has(mark)), about)
    }
    for (const { name: spoken, subscribers } of streamsIn(event))
      assert.ok(subscribers === undefined || after.members.has(markIn(spoken)), about)
  }
}

function streamsIn(event: Event): { name: string; subscribers?: unknown }[] {
  if (event.type === 'stream' && event.op !== 'update') return event.streams
  return event.type === 'subscription' && event.op === 'add' ? event.subscriptions : []
}

function checkMutedTopics({ muted_topics = [] }: State, { streams }: ReadState, about: string): void {
  for (const [name] of muted_topics)
    assert.ok(streams.has(markIn(name)), `${about}: ${name} is muted but not seen`)
}

function comparable({ queue_id, last_event_id, ...rest }: State): object {
  return rest
}
