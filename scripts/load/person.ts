import { setTimeout } from 'node:timers/promises'
import { type Account, basic } from '@oxbow/testkit'
import { Dice } from '@oxbow/testkit/seed'
import { EventClient, markNumber, type Reception } from './event-client.ts'
import { type Answer, type Call, HttpConnection } from './http-connection.ts'
import type { Recorder } from './recorder.ts'
import type { ActionName, Scenario } from './scenario.ts'
import type { Reader, Truth } from './truth.ts'

export interface PersonStream {
  id: number
  members: ReadonlySet<number>
}

/** Values that all people of the generator share. */
export interface Surroundings {
  port: number
  scenario: Scenario
  topics: readonly string[]
  people: readonly Account[]
  truth: Truth
  recorder: Recorder
}

const presenceMs = 60_000
/** How long a request is repeated while the node is away, and the pause between two attempts. */
const maxRetryMs = 60_000
const retryPauseMs = 250

const words = 'roses pruning frost shears garden compost seeds harvest barrow trellis gravel lantern'.split(
  ' ',
)
const sentence = ': the *south wall* wants care before the first frost comes, see `shed/tools.md` about '

/** The registration of a web client. */
const registration = {
  apply_markdown: 'true',
  slim_presence: 'true',
  include_subscribers: 'false',
  client_capabilities:
    '{"notification_settings_null":true,"bulk_message_deletion":true,"user_list_on_demand":true}',
  queue_lifespan_secs: '604800',
  fetch_event_types: JSON.stringify(
    (
      'realm realm_user realm_bot realm_emoji realm_filters realm_user_groups realm_domains custom_profile_fields ' +
      'update_display_settings update_global_notifications alert_words muted_topics subscription default_streams ' +
      'default_stream_groups drafts scheduled_messages message update_message_flags starred_messages ' +
      'recent_private_conversations user_status hotspots'
    ).split(' '),
  ),
}

type Narrow = readonly (readonly [operator: string, operand: unknown])[]

const buildPage = (narrow: Narrow, anchor: string) =>
  `/messages?${new URLSearchParams({
    anchor,
    num_before: '50',
    num_after: '0',
    narrow: JSON.stringify(narrow.map(([operator, operand]) => ({ operator, operand }))),
    apply_markdown: 'true',
  })}`

const listIds = (body: string): number[] =>
  [...body.matchAll(/"id":(\d+),"sender_id"/g)].map(([, id]) => Number(id))

/** A client of a person: a queue, and what it received. */
interface Client {
  reader: Reader
  events: EventClient
}

/**
 * A person who is online. Actions follow a schedule that does not depend on the server's answers, and their times
 * count from the schedule. So a server that stalls cannot slow its own test down.
 */
export class Person {
  readonly #index: number
  readonly #around: Surroundings
  readonly #streams: readonly PersonStream[]
  readonly #dice: Dice
  readonly #authorization: string
  readonly #connection: HttpConnection
  readonly #clients: Client[] = []
  readonly #unfinished = new Set<Promise<void>>()
  #isOnline = false
  #stream: PersonStream | undefined
  #seen: number[] = []

  constructor(index: number, streams: readonly PersonStream[], around: Surroundings) {
    this.#index = index
    this.#around = around
    this.#streams = streams
    this.#dice = new Dice(around.scenario.seed * 1_000_003 + index)
    this.#authorization = basic(around.people[index] as Account)
    this.#connection = new HttpConnection(around.port, this.#authorization)
  }

  /** Registers all clients of the person. */
  async arrive(due: number): Promise<void> {
    const { clientsEach, clients } = this.#around.scenario
    const count = Math.floor(clientsEach) + (this.#dice.isLikely(clientsEach % 1) ? 1 : 0)
    for (let number = 0; number < count; number++) {
      const reader = this.#around.truth.addReader(this.#index)
      const reception: Reception = this.#dice.isLikely(clients.stream) ? 'stream' : 'poll'
      const events = await this.#register(reader, reception, due)
      if (events) this.#clients.push({ reader, events })
    }
    this.#isOnline = true
  }

  /** Acts by the schedule until the person leaves. */
  live(): void {
    this.#schedule(
      performance.now(),
      this.#pause(),
      () => this.#pause(),
      (due) => this.#act(due),
    )
    const firstReport = this.#dice.roll() * presenceMs
    this.#schedule(
      performance.now(),
      firstReport,
      () => presenceMs,
      (due) => this.#reportPresence(due),
    )
  }

  leave(): void {
    this.#isOnline = false
    for (const { reader, events } of this.#clients) {
      const period = reader.periods.at(-1)
      if (period) period.closedAt = performance.now()
      events.close()
    }
    this.#connection.close()
  }

  /** Resolves when all requests of the person were answered. */
  async finish(): Promise<void> {
    await Promise.all(this.#unfinished)
  }

  /** Resolves when the person's clients have received all events up to now. */
  async catchUp(): Promise<void> {
    await Promise.all(this.#clients.map(({ events }) => events.catchUp()))
  }

  /** Stops acting, and keeps receiving. */
  rest(): void {
    this.#isOnline = false
  }

  /** Sends a message to a stream, for an announcement. Returns its id. */
  async announce(stream: PersonStream, topic: string): Promise<number | undefined> {
    return this.#sendTo(performance.now(), stream.members, { type: 'stream', to: String(stream.id), topic })
  }

  async react(message: number, due: number): Promise<void> {
    const form = { emoji_name: 'tada' }
    await this.#call('react', due, { method: 'POST', path: `/messages/${message}/reactions`, form })
  }

  /** Time until the next action, exponentially distributed with the scenario's mean. */
  #pause(): number {
    return -Math.log(1 - this.#dice.roll()) * this.#around.scenario.secondsBetween * 1000
  }

  #schedule(start: number, delay: number, next: () => number, work: (due: number) => Promise<void>): void {
    const due = start + delay
    globalThis.setTimeout(() => {
      if (!this.#isOnline) return
      this.#schedule(due, next(), next, work)
      const done: Promise<void> = work(due).finally(() => this.#unfinished.delete(done))
      this.#unfinished.add(done)
    }, due - performance.now())
  }

  async #act(due: number): Promise<void> {
    const { actions } = this.#around.scenario
    const weights = Object.entries(actions) as [ActionName, number][]
    const index = this.#draw(weights.map(([, weight]) => weight))
    const name = weights[index]?.[0] ?? 'open'
    this.#around.recorder.countAction()
    await this.#actions[name](due)
  }

  readonly #actions: Record<ActionName, (due: number) => Promise<void>> = {
    open: async (due) => {
      this.#stream = this.#pickStream()
      const narrow = [
        ['stream', this.#stream.id],
        ['topic', this.#dice.pick(this.#around.topics)],
      ] as const
      const answer = await this.#get('page', due, buildPage(narrow, 'newest'))
      this.#seen = listIds(answer?.body ?? '')
      if (this.#seen.length === 0) return
      const form = { messages: JSON.stringify(this.#seen.slice(-10)), op: 'add', flag: 'read' }
      await this.#call('mark read', performance.now(), { method: 'POST', path: '/messages/flags', form })
    },
    scroll: async (due) => {
      const { id } = this.#stream ?? this.#pickStream()
      await this.#get('page', due, buildPage([['stream', id]], String(this.#seen[0] ?? 'newest')))
    },
    direct: async (due) => {
      await this.#get('page', due, buildPage([['pm-with', [this.#pickPerson().user_id]]], 'newest'))
    },
    send: async (due) => {
      const { id, members } = this.#pickStream()
      const form = { type: 'stream', to: String(id), topic: this.#dice.pick(this.#around.topics) }
      await this.#sendTo(due, members, form)
    },
    sendDirect: async (due) => {
      const other = this.#pickPerson()
      const to = JSON.stringify([other.user_id])
      await this.#call('typing', due, { method: 'POST', path: '/typing', form: { op: 'start', to } })
      const audience = new Set([this.#index, this.#around.people.indexOf(other)])
      await this.#sendTo(due, audience, { type: 'private', to })
    },
    react: async (due) => {
      const message = this.#seen.at(-1)
      if (message !== undefined) await this.react(message, due)
    },
    edit: async (due) => {
      const { id, members } = this.#pickStream()
      const message = await this.#sendTo(due, members, { type: 'stream', to: String(id), topic: 'edits' })
      if (message === undefined) return
      const form = { content: 'The text after the edit.' }
      await this.#call('edit', performance.now(), { method: 'PATCH', path: `/messages/${message}`, form })
    },
    search: async (due) => {
      const query = `${this.#dice.pick(words)} ${this.#dice.pick(words)}`
      await this.#get('search', due, buildPage([['search', query]], 'newest'))
    },
    reload: async (due) => {
      const client = this.#clients[0]
      if (!client) return
      const period = client.reader.periods.at(-1)
      if (period) period.closedAt = performance.now()
      client.events.close()
      client.events = (await this.#register(client.reader, 'stream', due)) ?? client.events
    },
    reconnect: async () => this.#clients[0]?.events.reconnect(),
  }

  /** Returns a random position, as likely as its weight. */
  #draw(weights: readonly number[]): number {
    let lot = this.#dice.roll() * weights.reduce((sum, weight) => sum + weight, 0)
    for (const [index, weight] of weights.entries()) {
      lot -= weight
      if (lot < 0) return index
    }
    return 0
  }

  /** Picks a stream; people look at small streams more often than their number of members suggests. */
  #pickStream(): PersonStream {
    const index = this.#draw(this.#streams.map(({ members }) => members.size ** -0.5))
    return this.#streams[index] as PersonStream
  }

  #pickPerson(): Account {
    const { people, scenario } = this.#around
    const index = Math.floor(this.#dice.roll() * (scenario.people - 1))
    return people[index < this.#index ? index : index + 1] as Account
  }

  async #reportPresence(due: number): Promise<void> {
    const form = { status: 'active', ping_only: 'true', new_user_input: 'true' }
    await this.#call('presence', due, { method: 'POST', path: '/users/me/presence', form })
  }

  async #sendTo(
    due: number,
    audience: ReadonlySet<number>,
    form: Record<string, string>,
  ): Promise<number | undefined> {
    const { truth, recorder } = this.#around
    const number = truth.begin(due, performance.now(), audience)
    recorder.countSend()
    const content = `Message ${markNumber(number)}${sentence}${this.#dice.pick(words)} and ${this.#dice.pick(words)}.`
    const answer = await this.#call('send', due, {
      method: 'POST',
      path: '/messages',
      form: { ...form, content },
      headers: { 'Idempotency-Key': `load-${number}` },
    })
    if (answer?.status !== 200) {
      if (answer) truth.refuse(number)
      return undefined
    }
    truth.acknowledge(number, performance.now())
    return Number(/"id":(\d+)/.exec(answer.body)?.[1])
  }

  async #register(reader: Reader, reception: Reception, due: number): Promise<EventClient | undefined> {
    const { port, truth, recorder } = this.#around
    const answer = await this.#call('register', due, {
      method: 'POST',
      path: '/register',
      form: registration,
    })
    if (answer?.status !== 200) return undefined
    recorder.noteStateSize(answer.body.length)
    reader.periods.push({ openedAt: performance.now(), closedAt: Number.POSITIVE_INFINITY })
    return new EventClient({
      port,
      authorization: this.#authorization,
      reception,
      queue_id: /"queue_id":"([^"]+)"/.exec(answer.body)?.[1] ?? '',
      cursor: Number(/"last_event_id":(-?\d+)/.exec(answer.body)?.[1]),
      onMessage: (number) => {
        const lag = truth.arrive(reader, number, performance.now())
        if (lag !== undefined) recorder.noteArrival(lag)
      },
      onFault: (fault) => recorder.noteFault(fault),
    })
  }

  #get(kind: string, due: number, path: string): Promise<Answer | undefined> {
    return this.#call(kind, due, { method: 'GET', path })
  }

  /** Sends a request, again while the node is away, and records its time since it was due. */
  async #call(kind: string, due: number, call: Call): Promise<Answer | undefined> {
    const { recorder } = this.#around
    const end = performance.now() + maxRetryMs
    let answer = await this.#connection.call(call)
    while ((!answer || answer.status === 503) && performance.now() < end) {
      recorder.countRetry()
      await setTimeout(retryPauseMs)
      answer = await this.#connection.call(call)
    }
    recorder.noteRequest(kind, performance.now() - due, answer)
    return answer
  }
}
