import type { Account } from './account.ts'
import type { Query } from './event-log.ts'
import { request } from './http.ts'

/** A stream or a conversation. */
export interface Recipient {
  /** Of the call that sends there. */
  form: Readonly<Record<string, string>>
  /** Those who write there, and who are there, unless they come and go. */
  members: readonly Account[]
  isComingAndGoing?: true
  /** Those who may look at it and follow it without being in it. */
  onlookers: readonly Account[]
}

/** People come and go here. */
export const crossingName = 'crossing'

export interface FleetPerson extends Account {
  isGuest: boolean
}

/** Streams and conversations of all kinds, in the order in which messages go round them. */
export async function makeRecipients(
  query: Query,
  url: string,
  owner: Account,
  people: readonly FleetPerson[],
): Promise<Recipient[]> {
  const natives = people.filter(({ isGuest }) => !isGuest)
  const every = (nth: number, from = 0) => people.filter((_, index) => index % nth === from)
  const outside = (members: readonly FleetPerson[]) => natives.filter((person) => !members.includes(person))
  const make = async (name: string, members: readonly FleetPerson[], isPrivate = false) => ({
    ...(await makeStream(query, url, owner, name, members, isPrivate)),
    onlookers: isPrivate ? [] : outside(members),
  })
  const talk = (members: readonly FleetPerson[]): Recipient => ({
    form: { type: 'private', to: idsOf(members) },
    members,
    onlookers: [],
  })
  const square = await make('square', people)
  const garden = await make('garden', every(2))
  const shed = await make('shed', every(3), true)
  const cellar = await make('cellar', every(5, 2), true)
  const pair = talk(people.slice(2, 4))
  const group = talk(people.slice(4, 8))
  const self = talk(people.slice(9, 10))
  const crossing: Recipient = {
    ...(await make(crossingName, people.slice(0, 1))),
    members: natives,
    onlookers: natives,
    isComingAndGoing: true,
  }
  // Whatever goes to few costs little.
  return [square, pair, crossing, garden, group, shed, crossing, cellar, self, pair, crossing, garden, shed]
}

const idsOf = (members: readonly Account[]) => JSON.stringify(members.map(({ user_id }) => user_id))

async function makeStream(
  query: Query,
  url: string,
  owner: Account,
  name: string,
  members: readonly Account[],
  isPrivate: boolean,
): Promise<Pick<Recipient, 'form' | 'members'>> {
  const { status, text } = await request(url, {
    method: 'POST',
    path: '/api/v1/users/me/subscriptions',
    credentials: owner,
    form: {
      subscriptions: JSON.stringify([{ name }]),
      principals: idsOf(members),
      invite_only: String(isPrivate),
    },
  })
  if (status !== 200) throw new Error(`the stream ${name} was not made: ${text}`)
  const [stream] = await query<{ id: number }>('select id::int from stream where name = $1', [name])
  return { form: { type: 'stream', to: String(stream?.id), topic: 'faults' }, members }
}
