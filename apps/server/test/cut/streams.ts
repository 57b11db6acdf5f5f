import { randomInt } from 'node:crypto'
import { ApiError, type UserId } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'
import { pickRandom } from '../pick-random.ts'

/** Names of all streams. Writers change only the case of a name, so the number of streams stays the same. */
export const streamNames = Array.from({ length: 10 }, (_, index) => `stream ${index}`)

export interface StreamContext {
  /**
   * The owner stays subscribed to all streams, so that no private stream is deleted for lack of
   * subscribers.
   */
  owner: Client
  /**
   * Other users who register queues. They mute topics, and those with `joins` also subscribe and
   * unsubscribe.
   */
  readers: { client: Client; user_id: UserId; joins: boolean }[]
  users: UserId[]
}

/**
 * Makes one random change of streams. Writers conflict with each other, so refusals are ignored,
 * but server errors are not.
 */
export async function changeStreams(context: StreamContext): Promise<void> {
  try {
    await pickRandom(changes)(context)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
  }
}

const changes: ((context: StreamContext) => Promise<unknown>)[] = [
  (context) =>
    context.owner.subscriptions.subscribe({
      subscriptions: [{ name: pickRandom(streamNames) }],
      principals: pickPeople(context),
    }),
  (context) =>
    context.owner.subscriptions.unsubscribe({
      subscriptions: [pickRandom(streamNames), pickRandom(streamNames)],
      principals: pickPeople(context),
    }),
  muteTopic,
  muteTopic,
  async ({ owner }) => {
    const { stream_id, name } = await pickStream(owner)
    const new_name = name.startsWith('s') ? name.toUpperCase() : name.toLowerCase()
    await owner.streams.update({ stream_id, new_name })
  },
  async ({ owner }) => {
    const { stream_id, invite_only } = await pickStream(owner)
    await owner.streams.update({ stream_id, is_private: !invite_only })
  },
  async ({ owner }) => {
    const { stream_id } = await pickStream(owner)
    await owner.defaultStreams[pickRandom(['add', 'remove'])]({ stream_id })
  },
]

function muteTopic({ owner, readers }: StreamContext): Promise<unknown> {
  const { subscriptions } = pickRandom([owner, ...readers.map(({ client }) => client)])
  return subscriptions.muteTopic({
    stream: pickRandom(streamNames),
    topic: `topic ${randomInt(5)}`,
    op: pickRandom(['add', 'remove']),
  })
}

function pickPeople({ readers, users }: StreamContext): UserId[] {
  return [pickRandom(readers.filter(({ joins }) => joins)).user_id, pickRandom(users), pickRandom(users)]
}

async function pickStream(owner: Client) {
  const { streams } = await owner.streams.list()
  return pickRandom(streams)
}
