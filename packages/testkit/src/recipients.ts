import type { Account } from './account.ts'
import type { Query } from './event-log.ts'
import { request } from './http.ts'

/** A stream or a conversation. */
export interface Recipient {
  /** Parameters of a request that sends a message there. */
  form: Readonly<Record<string, string>>
  /** Accounts that send messages there. They are members, unless `hasChangingMembers` is set. */
  members: readonly Account[]
  /** Set if members join and leave all the time. */
  hasChangingMembers?: true
  /** Accounts that may read and follow the stream without being members. */
  onlookers: readonly Account[]
}

/** Name of the stream that people keep joining and leaving. */
export const crossingName = 'crossing'

export interface FleetPerson extends Account {
  isGuest: boolean
}

/**
 * Creates streams and conversations of all kinds. Senders use them in the order of the result, in
 * which some occur repeatedly.
 */
export async function createRecipients(
  query: Query,
  url: string,
  owner: Account,
  people: readonly FleetPerson[],
): Promise<Recipient[]> {
  const nonGuests = people.filter(({ isGuest }) => !isGuest)
  const everyNth = (nth: number, from = 0) => people.filter((_, index) => index % nth === from)
  const nonMembersOf = (members: readonly FleetPerson[]) =>
    nonGuests.filter((person) => !members.includes(person))
  const createStream = async (name: string, members: readonly FleetPerson[], isPrivate = false) => ({
    ...(await subscribeToNewStream(query, url, owner, name, members, isPrivate)),
    onlookers: isPrivate ? [] : nonMembersOf(members),
  })
  const conversationOf = (members: readonly FleetPerson[]): Recipient => ({
    form: { type: 'private', to: idsOf(members) },
    members,
    onlookers: [],
  })
  const square = await createStream('square', people)
  const garden = await createStream('garden', everyNth(2))
  const shed = await createStream('shed', everyNth(3), true)
  const cellar = await createStream('cellar', everyNth(5, 2), true)
  const pair = conversationOf(people.slice(2, 4))
  const group = conversationOf(people.slice(4, 8))
  const self = conversationOf(people.slice(9, 10))
  const crossing: Recipient = {
    ...(await createStream(crossingName, people.slice(0, 1))),
    members: nonGuests,
    onlookers: nonGuests,
    hasChangingMembers: true,
  }
  // Recipients with few members occur more often, because messages to them cost less.
  return [square, pair, crossing, garden, group, shed, crossing, cellar, self, pair, crossing, garden, shed]
}

const idsOf = (members: readonly Account[]) => JSON.stringify(members.map(({ user_id }) => user_id))

async function subscribeToNewStream(
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
  if (status !== 200) throw new Error(`the stream ${name} was not created: ${text}`)
  const [stream] = await query<{ id: number }>('select id::int from stream where name = $1', [name])
  return { form: { type: 'stream', to: String(stream?.id), topic: 'faults' }, members }
}
