import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultGeneration, type OrganizationId, Role, type StreamId } from '@oxbow/contract'
import { type Client, createClient } from '@oxbow/sdk'
import { type NodeName, type Person, pngOf, startWorld, type World } from '@oxbow/testkit'
import { upload } from '@oxbow/testkit/calls/uploads'
import type { Actor } from '../../../src/platform/actor.ts'
import { type Kind, type Model, type Name, names, noChanges, type Sender } from '../model/model.ts'
import { LogReader } from './log.ts'

const roles: Record<Name, Role> = {
  owner: Role.owner,
  ada: Role.administrator,
  mia: Role.member,
  nora: Role.member,
  gus: Role.guest,
  gwen: Role.guest,
  robin: Role.member,
}

/** The alert word that texts contain. */
export const alertWord = 'moles'

/** The user with an interactive client. The user's own messages are read at once. */
const writesByHand: Name = 'mia'

/** The server that is compared with the model. */
export class TestedServer implements AsyncDisposable {
  readonly world: World
  readonly people: Readonly<Record<Name, Person>>
  readonly log: LogReader
  /** The owner of another organization. */
  readonly outsider: Person
  /** URIs of all uploads of the story, including deleted ones. */
  uris: readonly string[] = []
  /**
   * Numbers of successful and refused actions by kind, from which a test checks that each kind was
   * tried.
   */
  readonly outcomes: Record<string, { done: number; refused: number }> = {}
  readonly #noticesId: number
  readonly #clients = new Map<string, Client>()
  #stories = 0

  constructor(world: World, people: Record<Name, Person>, outsider: Person, noticesId: number) {
    this.world = world
    this.people = people
    this.outsider = outsider
    this.log = new LogReader(world)
    this.#noticesId = noticesId
  }

  count(kind: string, isDone: boolean): void {
    this.outcomes[kind] ??= { done: 0, refused: 0 }
    this.outcomes[kind][isDone ? 'done' : 'refused']++
  }

  idOf(name: Sender): number {
    return name === 'notices' ? this.#noticesId : this.people[name].user_id
  }

  nameOf(id: number): Sender {
    const name = names.find((name) => this.people[name].user_id === id)
    assert.ok(name || id === this.#noticesId, `nobody is ${id}`)
    return name ?? 'notices'
  }

  personOf(id: number): Name {
    const name = this.nameOf(id)
    if (name === 'notices') throw new Error('the notification bot is nobody')
    return name
  }

  client(name: Name, at: NodeName): Client {
    const cached = this.#clients.get(`${name} ${at}`)
    if (cached) return cached
    const { email, api_key } = this.people[name]
    const client = createClient({
      url: this.world.nodes[at].url,
      credentials: { email, api_key },
      userAgent: this.clientOf(name),
    })
    this.#clients.set(`${name} ${at}`, client)
    return client
  }

  clientOf(name: Name): string {
    return name === writesByHand ? 'website' : 'script'
  }

  readsOwn(name: Name): boolean {
    return name === writesByHand
  }

  /** Returns the user as an authenticated actor of the server. */
  actor(name: Name, at: NodeName, role: Role): Actor {
    const { app, url } = this.world.nodes[at]
    return {
      user_id: this.people[name].user_id,
      organization_id: this.world.organization_id as OrganizationId,
      role,
      bot_type: name === 'robin' ? 1 : null,
      credential: { kind: 'key', hash: app.secrets.hash(this.people[name].api_key) },
      subdomain: '',
      origin: url,
      address: '127.0.0.1',
      client: this.clientOf(name),
      legacyNames: false,
      legacyVersions: false,
      generation: defaultGeneration,
    }
  }

  /** Resets roles, and replaces all messages and streams with the given streams. */
  async beginStory(members: Record<string, { kind: Kind; members: readonly Name[] }>): Promise<Model> {
    this.#stories++
    const { database, owner } = this.world
    await this.#restoreAccounts()
    const old = await database.query<{ id: StreamId }>('select id from stream where archived_at is null')
    for (const { id } of old) await owner.streams.archive({ stream_id: id })
    const streams: Model['streams'] = new Map()
    for (const [word, { kind, members: inIt }] of Object.entries(members)) {
      const { stream_id, name } = await this.world.stream(`${word} ${this.#stories}`, {
        by: this.people.ada,
        members: inIt.map((name) => this.people[name]),
        invite_only: kind !== 'public',
        history_public_to_subscribers: kind === 'shared',
      })
      const [id, isArchived] = [stream_id as number, false]
      streams.set(id, {
        id,
        name,
        kind,
        isArchived,
        members: new Set(inIt),
        everMembers: new Set(inIt),
        lastLeavers: new Set(),
      })
    }
    await this.settle()
    await this.#forgetMessages()
    const files = await this.#uploadFiles()
    await this.settle()
    await this.log.takeTransactions()
    const accounts = Object.fromEntries(names.map((name) => [name, { role: roles[name], isActive: true }]))
    return {
      accounts: accounts as Model['accounts'],
      streams,
      messages: new Map(),
      files,
      expectedEvents: [],
      changes: noChanges(),
    }
  }

  async #restoreAccounts(): Promise<void> {
    const { database, owner } = this.world
    const accounts = await database.query<{ id: number; role: Role; is_active: boolean }>(
      'select id, role, is_active from user_account where organization_id = $1 order by id',
      [this.world.organization_id],
    )
    for (const { id, role, is_active } of accounts) {
      const name = this.personOf(id)
      const { user_id } = this.people[name]
      if (!is_active) await owner.users.reactivate({ user_id })
      if (role === roles[name]) continue
      // A guest must become a member before getting any other role.
      if (role === Role.guest) await owner.users.update({ user_id, role: Role.member })
      if (roles[name] !== Role.member) await owner.users.update({ user_id, role: roles[name] })
      else if (role !== Role.guest) await owner.users.update({ user_id, role: Role.member })
    }
  }

  async #uploadFiles(): Promise<Model['files']> {
    const owners: Name[] = ['ada', 'mia', 'nora', 'gus', 'robin', 'mia']
    const files: Model['files'] = new Map()
    for (const owner of owners) files.set(await upload(this.people[owner], 'plan.txt', pngOf(2, 2)), owner)
    this.uris = [...files.keys()]
    return files
  }

  async #forgetMessages(): Promise<void> {
    const tables = [
      'upload',
      'message',
      'user_message',
      'read_mark',
      'message_edit',
      'message_stay',
      'muted_topic',
    ]
    for (const table of [...tables, 'event_queue']) await this.world.database.query(`delete from ${table}`)
    await this.world.database.query('update stream set first_message_id = null')
  }

  /** Skips message ids, because searches treat distant ids differently. */
  async skipIds(count: number): Promise<void> {
    await this.world.database.query(`select setval('message_id', last_value + $1) from message_id`, [count])
  }

  /** Waits until all notices are sent and both nodes have seen every commit. */
  async settle(): Promise<void> {
    const { database, nodes, organization_id } = this.world
    for (;;) {
      const [head] = await database.query<{ last_seq: number; isPending: boolean }>(
        `select last_seq,
           exists (select from outbox) or exists (
             select from graphile_worker._private_jobs j
             join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'send-notices'
           ) as "isPending"
         from event_head where organization_id = $1`,
        [organization_id],
      )
      const isKnown = Object.values(nodes).every(({ app }) => {
        const followed = app.events.log.organizations.get(organization_id as OrganizationId)
        return !followed || followed.position >= (head?.last_seq ?? 0)
      })
      if (!head?.isPending && isKnown) return
      await sleep(5)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]()
  }
}

export async function startTestedServer(alerted: readonly Name[]): Promise<TestedServer> {
  const world = await startWorld({ notices: true })
  const [mia, nora] = await world.people('mia', 'nora')
  const people: Record<Name, Person> = {
    owner: world.owner,
    ada: await world.person('ada', 'administrator'),
    mia,
    nora,
    gus: await world.person('gus', 'guest'),
    gwen: await world.person('gwen', 'guest'),
    robin: await world.bot('robin', mia),
  }
  await world.database.query('update organization set allow_message_deleting = true')
  for (const name of alerted) await people[name].alertWords.add({ alert_words: [alertWord] })
  await world.settled()
  const [notices] = await world.database.query<{ id: number }>(
    `select id from system_account where email like 'notification-bot@%'`,
  )
  const { owner: outsider } = await world.addOrganization('hill')
  return new TestedServer(world, people, outsider, notices?.id ?? 0)
}
