import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ApiError, PostPolicy, type StreamId } from '@oxbow/contract'
import { type MadeStream, type Person, startWorld, type World } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'

/**
 * Signs of the access matrix, which states for each action which roles may perform it on which
 * kinds of streams. Each cell has three signs: for a subscriber, a former subscriber, and a user
 * who was never subscribed. `+` means allowed, and every other sign is a kind of refusal.
 */
const signs: Record<string, string> = {
  '+': 'yes',
  '.': 'not there',
  i: 'INVALID_STREAM_ID',
  u: 'STREAM_NOT_ACCESSIBLE',
  x: 'STREAM_DOES_NOT_EXIST',
  a: 'MUST_BE_ADMINISTRATOR',
  r: 'NEEDS_ADMINISTRATIVE_RIGHTS',
  g: 'NOT_FOR_GUESTS',
  s: 'NOT_AUTHORIZED_TO_SEND',
  p: 'ONLY_ADMINISTRATORS_POST',
  n: 'NEW_MEMBERS_CANNOT_POST',
}

/**
 * `private` streams share their history with new subscribers, `protected` ones do not. Archived
 * streams were public.
 */
const kinds = ['public', 'private', 'protected', 'archived'] as const
const memberships = ['subscribed', 'formerly', 'never'] as const
const roles = ['owner', 'administrator', 'member', 'new member', 'guest', 'bot'] as const

const matrix = {
  'list a stream': `
                   public  private  protected  archived
    owner          +++     +..      +..        ...
    administrator  +++     +..      +..        ...
    member         +++     +..      +..        ...
    new member     +++     +..      +..        ...
    guest          +..     +..      +..        ...
    bot            +++     +..      +..        ...`,
  'see a stream': `
                   public  private  protected  archived
    owner          +++     +++      +++        ...
    administrator  +++     +++      +++        ...
    member         +++     ++.      ++.        ...
    new member     +++     ++.      ++.        ...
    guest          ++.     ++.      ++.        ...
    bot            +++     ++.      ++.        ...`,
  'subscribe themselves': `
                   public  private  protected  archived
    owner          +++     +uu      +uu        uuu
    administrator  +++     +uu      +uu        uuu
    member         +++     +uu      +uu        uuu
    new member     +++     +uu      +uu        uuu
    guest          ggg     ggg      ggg        ggg
    bot            +++     +uu      +uu        uuu`,
  'subscribe others': `
                   public  private  protected  archived
    owner          +++     +uu      +uu        uuu
    administrator  +++     +uu      +uu        uuu
    member         +++     +uu      +uu        uuu
    new member     +++     +uu      +uu        uuu
    guest          ggg     ggg      ggg        ggg
    bot            +++     +uu      +uu        uuu`,
  'unsubscribe others': `
                   public  private  protected  archived
    owner          +++     +++      +++        xxx
    administrator  +++     +++      +++        xxx
    member         rrr     rrr      rrr        rrr
    new member     rrr     rrr      rrr        rrr
    guest          rrr     rrr      rrr        rrr
    bot            rrr     rrr      rrr        rrr`,
  'change stream settings': `
                   public  private  protected  archived
    owner          +++     +++      +++        iii
    administrator  +++     +++      +++        iii
    member         aaa     aaa      aaa        aaa
    new member     aaa     aaa      aaa        aaa
    guest          aaa     aaa      aaa        aaa
    bot            aaa     aaa      aaa        aaa`,
  'change stream privacy': `
                   public  private  protected  archived
    owner          +++     +ii      +ii        iii
    administrator  +++     +ii      +ii        iii
    member         aaa     aaa      aaa        aaa
    new member     aaa     aaa      aaa        aaa
    guest          aaa     aaa      aaa        aaa
    bot            aaa     aaa      aaa        aaa`,
  'list stream members': `
                   public  private  protected  archived
    owner          +++     +++      +++        iii
    administrator  +++     +++      +++        iii
    member         +++     +ii      +ii        iii
    new member     +++     +ii      +ii        iii
    guest          +ii     +ii      +ii        iii
    bot            +++     +ii      +ii        iii`,
  'mute a topic': `
                   public  private  protected  archived
    owner          +++     +ii      +ii        iii
    administrator  +++     +ii      +ii        iii
    member         +++     +ii      +ii        iii
    new member     +++     +ii      +ii        iii
    guest          +ii     +ii      +ii        iii
    bot            +++     +ii      +ii        iii`,
  'post where everyone may post': `
                   public  private  protected  archived
    owner          +++     +ss      +ss        xxx
    administrator  +++     +ss      +ss        xxx
    member         +++     +sx      +sx        xxx
    new member     +++     +sx      +sx        xxx
    guest          +sx     +sx      +sx        xxx
    bot            +++     +sx      +sx        xxx`,
  'post where only administrators may post': `
                   public  private  protected  archived
    owner          +++     +ss      +ss        xxx
    administrator  +++     +ss      +ss        xxx
    member         ppp     ppx      ppx        xxx
    new member     ppp     ppx      ppx        xxx
    guest          ppx     ppx      ppx        xxx
    bot            ppp     ppx      ppx        xxx`,
  'post where new members may not post': `
                   public  private  protected  archived
    owner          +++     +ss      +ss        xxx
    administrator  +++     +ss      +ss        xxx
    member         +++     +sx      +sx        xxx
    new member     nnn     nnx      nnx        xxx
    guest          +sx     +sx      +sx        xxx
    bot            +++     +sx      +sx        xxx`,
} as const
type ActionName = keyof typeof matrix
type RoleName = (typeof roles)[number]

let world: World
let people: Record<RoleName, Person>
/** A user subscribed to every stream, and one subscribed to none. */
let insider: Person
let outsider: Person

before(async () => {
  world = await startWorld()
  ;[insider, outsider] = await world.people('insider', 'outsider')
  people = {
    owner: await world.person('otis', 'owner'),
    administrator: await world.person('ada', 'administrator'),
    member: await world.person('mia'),
    'new member': await world.person('nell'),
    guest: await world.person('gus', 'guest'),
    // The bot's owner is subscribed to no stream, because a bot may post to the streams of its
    // owner.
    bot: await world.bot('robin', await world.person('keeper')),
  }
  await world.database.query('update organization set waiting_period_threshold = 3')
  await world.database.query(
    `update user_account set date_joined = now() - interval '9 days' where id <> $1`,
    [people['new member'].user_id],
  )
})
after(() => world[Symbol.asyncDispose]())

const yes = (work: Promise<unknown>) => work.then(() => 'yes')
const within = (streams: readonly { stream_id: StreamId }[] = [], { stream_id }: MadeStream) =>
  streams.some((stream) => stream.stream_id === stream_id) ? 'yes' : 'not there'
const post = (person: Person, stream: MadeStream) => yes(sendToStream(person, stream, 'weather'))

/**
 * The actions of the matrix. Those that change a stream are tried on a separate one, which is addressed by
 * its current name.
 */
const actions: Record<ActionName, (person: Person, stream: MadeStream) => Promise<string>> = {
  'list a stream': async (person, stream) => within((await person.streams.list()).streams, stream),
  'see a stream': async (person, stream) => {
    const state = await person.events.register({ fetch_event_types: ['subscription'] })
    const { subscriptions = [], unsubscribed = [], never_subscribed = [] } = state
    return within([...subscriptions, ...unsubscribed, ...never_subscribed], stream)
  },
  'subscribe themselves': ({ subscriptions }, { name }) =>
    yes(subscriptions.subscribe({ subscriptions: [{ name }] })),
  'subscribe others': ({ subscriptions }, { name }) =>
    yes(subscriptions.subscribe({ subscriptions: [{ name }], principals: [outsider.user_id] })),
  'unsubscribe others': async ({ subscriptions }, { name }) => {
    const params = { subscriptions: [name], principals: [insider.user_id] }
    assert.deepEqual((await subscriptions.unsubscribe(params)).removed, [name])
    return 'yes'
  },
  'change stream settings': ({ streams }, { stream_id, name }) =>
    yes(streams.update({ stream_id, new_name: `${name}, renamed`, description: 'Changed' })),
  'change stream privacy': async ({ streams }, { stream_id }) =>
    yes(streams.update({ stream_id, is_private: !(await isPrivate(stream_id)) })),
  'list stream members': ({ streams }, { stream_id }) => yes(streams.members({ stream_id })),
  'mute a topic': ({ subscriptions }, { stream_id }) =>
    yes(subscriptions.muteTopic({ stream_id, topic: 'roses', op: 'add' })),
  'post where everyone may post': post,
  'post where only administrators may post': post,
  'post where new members may not post': post,
}

/** The policy of all streams while an action is tried. */
const policies: Partial<Record<ActionName, PostPolicy>> = {
  'post where everyone may post': PostPolicy.everyone,
  'post where only administrators may post': PostPolicy.administrators,
  'post where new members may not post': PostPolicy.fullMembers,
}

async function isPrivate(stream_id: StreamId): Promise<boolean> {
  const [row] = await world.database.query<{ invite_only: boolean }>(
    'select invite_only from stream where id = $1',
    [stream_id],
  )
  return row?.invite_only ?? false
}

/** Actions that change no membership, name or privacy. They are tried on the same streams. */
const harmlessActions = new Set<ActionName>([
  'list a stream',
  'see a stream',
  'list stream members',
  'mute a topic',
  'post where everyone may post',
  'post where only administrators may post',
  'post where new members may not post',
])
const sharedStreams = new Map<string, Promise<MadeStream[]>>()

/** Returns streams for the action: shared ones if the action leaves them unchanged, and otherwise new ones. */
function getStreams(
  action: ActionName,
  kind: (typeof kinds)[number],
  membership: (typeof memberships)[number],
): Promise<MadeStream[]> {
  if (!harmlessActions.has(action)) return makeStreams(kind, membership)
  const key = `${kind} ${membership}`
  const streams = sharedStreams.get(key) ?? makeStreams(kind, membership)
  sharedStreams.set(key, streams)
  return streams
}

let made = 0

/**
 * Creates a stream of this kind for each role. The person with that role has the given membership
 * in it.
 */
async function makeStreams(
  kind: (typeof kinds)[number],
  membership: (typeof memberships)[number],
): Promise<MadeStream[]> {
  const names = roles.map(() => `stream ${++made}`)
  const everyone = Object.values(people).map(({ user_id }) => user_id)
  const { subscriptions, streams } = world.owner
  await subscriptions.subscribe({
    subscriptions: names.map((name) => ({ name })),
    principals: [world.owner.user_id, insider.user_id, ...(membership === 'never' ? [] : everyone)],
    invite_only: kind === 'private' || kind === 'protected',
    history_public_to_subscribers: kind !== 'protected',
  })
  if (membership === 'formerly')
    await subscriptions.unsubscribe({ subscriptions: names, principals: everyone })
  const rows = await world.database.query<MadeStream>(
    `select id::int as stream_id, name from stream
     where organization_id = $1 and name = any($2::text[]) order by array_position($2::text[], name)`,
    [world.organization_id, names],
  )
  assert.equal(rows.length, names.length)
  if (kind !== 'archived') return rows
  for (const { stream_id } of rows) await streams.archive({ stream_id })
  return rows.map(({ stream_id, name }) => ({ stream_id, name: `!DEACTIVATED:${name}` }))
}

async function attempt(action: ActionName, person: Person, stream: MadeStream): Promise<string> {
  try {
    return await actions[action](person, stream)
  } catch (error) {
    if (error instanceof ApiError) return error.errorName
    throw error
  }
}

const signOf = (outcome: string) =>
  Object.entries(signs).find(([, meaning]) => meaning === outcome)?.[0] ?? `(${outcome})`

for (const [action, table] of Object.entries(matrix) as [ActionName, string][]) {
  test(`the access matrix decides who may ${action}`, async () => {
    const rows: Record<RoleName, string[]> = Object.fromEntries(
      roles.map((role) => [role, kinds.map(() => '')]),
    ) as never
    const cells: [column: number, streams: MadeStream[]][] = []
    for (const [column, kind] of kinds.entries())
      for (const membership of memberships) cells.push([column, await getStreams(action, kind, membership)])
    const policy = policies[action]
    if (policy !== undefined)
      await world.database.query('update stream set stream_post_policy = $2 where organization_id = $1', [
        world.organization_id,
        policy,
      ])
    for (const [column, streams] of cells)
      for (const [index, role] of roles.entries()) {
        const outcome = await attempt(action, people[role], streams[index] as MadeStream)
        rows[role][column] += signOf(outcome)
      }

    const lines = roles.map((role) => `${role} ${rows[role].join(' ')}`)
    const [, ...expected] = table.trim().split('\n')
    assert.deepEqual(
      lines,
      expected.map((line) => line.trim().replace(/\s+/g, ' ')),
    )
  })
}
