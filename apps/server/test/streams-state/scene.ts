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

/** People of all rights. In every stream that `scene.stream` makes they are, were or never were as is said here. */
const parts = {
  owner: 'never',
  /** Administrator. */
  ada: 'in',
  mia: 'in',
  lara: 'left',
  nora: 'never',
  /** Guest. */
  gus: 'in',
  /** Guest. */
  gil: 'left',
  /** Guest. */
  gwen: 'never',
  /** A bot of mia's. */
  robin: 'in',
} as const
type Name = keyof typeof parts

/** Who does not watch: an administrator in no stream, and a member in the streams, to be sent away, with her bot. */
type Extra = 'otis' | 'rosa' | 'thorn'

export interface Scene extends Record<Name | Extra, Person>, AsyncDisposable {
  world: World
  watchers: Readonly<Record<string, Person>>
  /** With everyone in their part. Messages were sent to it before this week. */
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
  // What is not set for a stream is not the same for everyone.
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
/** Everyone with members. What else is asked for makes no difference between those who are alike in it. */
const more: Partial<Record<Name, Registration[]>> = {
  owner: [{}],
  mia: [{}, withNull],
  lara: [{}, withNull],
  gus: [{}, withNull],
}

/** People who are alike: the gate watches one of each, others in every run. */
const alike: readonly (readonly Name[])[] = [
  ['mia'],
  ['ada', 'robin'],
  ['gus'],
  ['lara', 'gil'],
  ['owner', 'nora', 'gwen'],
]
/** One person of a group goes on being watched for so many changes, because the state after one serves the next. */
const changesPerChoice = 4
let changes = 0
let chosen: readonly Name[] = []

function chooseNames(): readonly Name[] {
  if (bySize({ gate: false, long: true })) return alike.flat()
  if (changes++ % changesPerChoice === 0)
    chosen = alike.map((names) => names[Math.floor(Math.random() * names.length)] as Name)
  return chosen
}

/** `expectSameState` for some of the watchers, side by side; in the long lane for all. */
export async function expectSame(
  scene: Pick<Scene, 'world' | 'watchers'>,
  change: () => Promise<unknown>,
): Promise<void> {
  await compareStates(scene, chooseNames(), change)
}

/** `expectSameState` for all watchers, side by side. Returns the events of each one's first queue. */
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
  const everyone = Object.entries(watchers).filter(([name]) => names.includes(name as Name))
  const start = Promise.withResolvers<void>()
  const happened = start.promise.then(change)
  let ready = 0
  const whenAllAreReady = () => {
    if (++ready === everyone.length) start.resolve()
    return happened
  }
  const received = await Promise.all(
    everyone.map(([name, person]) =>
      expectSameState(world, { [name]: person }, whenAllAreReady, {
        registrations: [withMembers, ...(more[name as Name] ?? [])],
      }).catch(tellDifference),
    ),
  )
  return Object.assign({}, ...received)
}

/** Of two whole states, only the fields that differ. */
function tellDifference(error: unknown): never {
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

/** Of two lists, what is in one of them only. */
function differenceOf(folded: unknown, fresh: unknown): string {
  if (!Array.isArray(folded) || !Array.isArray(fresh)) return ''
  const [some, others] = [folded, fresh].map((list) => list.map((item) => JSON.stringify(item)))
  const only = (list: string[] = [], other: string[] = []) => list.filter((item) => !other.includes(item))
  return `folded only: ${only(some, others)}\nfresh only: ${only(others, some)}`
}

type Creation = Omit<ArgumentsOf<typeof api.subscriptions.subscribe>, 'subscriptions' | 'principals'>

/** Those named; whoever does it where nobody is. */
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
