import assert, { AssertionError } from 'node:assert/strict'
import type { ArgumentsOf, api, Event, Role } from '@oxbow/contract'
import {
  expectSameState,
  type MadeStream,
  type Person,
  type Registration,
  type StreamOptions,
  startWorld,
  type World,
} from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'

/**
 * Users of all roles, and whether they are, were or never were subscribed to every stream that
 * `scene.stream` creates.
 */
const parts = {
  owner: 'never',
  /** An administrator. */
  ada: 'in',
  mia: 'in',
  lara: 'left',
  nora: 'never',
  /** A guest. */
  gus: 'in',
  /** A guest. */
  gil: 'left',
  /** A guest. */
  gwen: 'never',
  /** A bot of mia. */
  robin: 'in',
} as const
type Name = keyof typeof parts

/**
 * Users whose states are not compared: an administrator in no stream, and a member in all streams,
 * who is deactivated with her bot.
 */
type Extra = 'otis' | 'rosa' | 'thorn'

export interface Scene extends Record<Name | Extra, Person>, AsyncDisposable {
  world: World
  watchers: Readonly<Record<string, Person>>
  /**
   * Creates a stream with users subscribed according to `parts`, and with messages from before this
   * week.
   */
  stream(name: string, options?: Omit<StreamOptions, 'by' | 'members'>): Promise<MadeStream>
}

export async function setScene(): Promise<Scene> {
  const world = await startWorld({ config: { email_gateway_pattern: '%s@mail.garden.example' } })
  const { owner } = world
  const [mia, lara, nora, rosa] = await world.people('mia', 'lara', 'nora', 'rosa')
  const watchers: Record<Name, Person> = {
    owner,
    ada: await world.person('ada', 'administrator'),
    mia,
    lara,
    nora,
    gus: await world.person('gus', 'guest'),
    gil: await world.person('gil', 'guest'),
    gwen: await world.person('gwen', 'guest'),
    robin: await world.bot('robin', mia),
  }
  // Gives users different defaults, which apply where a stream has no setting.
  await world.database.query(
    'update user_setting set enable_stream_push_notifications = true, wildcard_mentions_notify = false where user_id = $1',
    [mia.user_id],
  )
  const otis = await world.person('otis', 'administrator')
  const thorn = await world.bot('thorn', rosa)
  const who = (part: 'in' | 'left') =>
    Object.entries(watchers).flatMap(([name, person]) => (parts[name as Name] === part ? [person] : []))
  const stream: Scene['stream'] = async (name, options) => {
    const made = await world.stream(name, {
      by: watchers.ada,
      members: [...who('in'), ...who('left'), rosa, thorn],
      ...options,
    })
    await unsubscribe(owner, [name], who('left'))
    await world.database.query("update stream set created_at = now() - interval '40 days' where id = $1", [
      made.stream_id,
    ])
    await world.database.query(
      'insert into stream_traffic select organization_id, id, current_date - 3, 100 from stream where id = $1',
      [made.stream_id],
    )
    return made
  }
  const dispose = () => world[Symbol.asyncDispose]()
  return { ...watchers, otis, rosa, thorn, world, watchers, stream, [Symbol.asyncDispose]: dispose }
}

const withMembers: Registration = { include_subscribers: true }
const withNull: Registration = {
  include_subscribers: true,
  client_capabilities: { notification_settings_null: true },
}
/**
 * Further registrations per user. Every user also registers with subscribers; users of the same
 * kind need no further one.
 */
const more: Partial<Record<Name, Registration[]>> = {
  owner: [{}],
  mia: [{}, withNull],
  lara: [{}, withNull],
  gus: [{}, withNull],
}

/**
 * Groups of users of the same kind. The gate compares one of each group, chosen at random in every
 * run.
 */
const alike: readonly (readonly Name[])[] = [
  ['mia'],
  ['ada', 'robin'],
  ['gus'],
  ['lara', 'gil'],
  ['owner', 'nora', 'gwen'],
]
/**
 * Number of changes for which the same user of a group is compared, because the state after one
 * change is reused for the next.
 */
const changesPerChoice = 4
let changes = 0
let chosen: readonly Name[] = []

function chooseNames(): readonly Name[] {
  if (bySize({ gate: false, long: true })) return alike.flat()
  if (changes++ % changesPerChoice === 0)
    chosen = alike.map((names) => names[Math.floor(Math.random() * names.length)] as Name)
  return chosen
}

/** Runs `expectSameState` for some of the watchers, and in the long lane for all. */
export async function expectSame(
  scene: Pick<Scene, 'world' | 'watchers'>,
  change: () => Promise<unknown>,
): Promise<void> {
  await compareStates(scene, chooseNames(), change)
}

/** Runs `expectSameState` for all watchers. Returns the events of the first queue of each. */
export async function expectSameForAll(
  scene: Pick<Scene, 'world' | 'watchers'>,
  change: () => Promise<unknown>,
): Promise<Record<string, Event[]>> {
  return compareStates(scene, alike.flat(), change)
}

async function compareStates(
  { world, watchers }: Pick<Scene, 'world' | 'watchers'>,
  names: readonly Name[],
  change: () => Promise<unknown>,
): Promise<Record<string, Event[]>> {
  const people = Object.fromEntries(Object.entries(watchers).filter(([name]) => names.includes(name as Name)))
  return expectSameState(world, people, change, {
    registrations: (name) => [withMembers, ...(more[name as Name] ?? [])],
    mayDefer: true,
  }).catch(throwDifference)
}

/** Throws an error that lists only the differing fields of two states. */
function throwDifference(error: unknown): never {
  if (!(error instanceof AssertionError) || typeof error.actual !== 'object') throw error
  const { actual, expected } = error as { actual: Record<string, unknown>; expected: Record<string, unknown> }
  const fields = new Set([...Object.keys(actual), ...Object.keys(expected)])
  for (const field of fields) {
    const [folded, fresh] = [actual[field], expected[field]]
    assert.deepEqual(
      folded,
      fresh,
      `${field} of ${error.message.slice(0, 3_000)}\n${differenceOf(folded, fresh)}`,
    )
  }
  throw error
}

/** Returns the items that are in only one of two lists. */
function differenceOf(folded: unknown, fresh: unknown): string {
  if (!Array.isArray(folded) || !Array.isArray(fresh)) return ''
  const [some, others] = [folded, fresh].map((list) => list.map((item) => JSON.stringify(item)))
  const only = (list: string[] = [], other: string[] = []) => list.filter((item) => !other.includes(item))
  return `folded only: ${only(some, others)}\nfresh only: ${only(others, some)}`
}

type Creation = Omit<ArgumentsOf<typeof api.subscriptions.subscribe>, 'subscriptions' | 'principals'>

/** Subscribes the named users, or the caller if none are named. */
export async function subscribe(
  by: Person,
  names: readonly string[],
  people: readonly Person[] = [],
  creation: Creation = {},
): Promise<void> {
  await by.subscriptions.subscribe({
    subscriptions: names.map((name) => ({ name })),
    principals: idsOf(people),
    ...creation,
  })
}

export async function unsubscribe(
  by: Person,
  subscriptions: string[],
  people: readonly Person[] = [],
): Promise<void> {
  await by.subscriptions.unsubscribe({ subscriptions, principals: idsOf(people) })
}

export async function changeRole(by: Person, people: readonly Person[], role: Role): Promise<void> {
  for (const { user_id } of people) await by.users.update({ user_id, role })
}

const idsOf = (people: readonly Person[]) => people.map(({ user_id }) => user_id)
