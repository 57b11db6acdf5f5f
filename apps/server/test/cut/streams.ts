import { randomInt } from 'node:crypto'
import { ApiError, type UserId } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'

/** Names of all streams. Writers change only the case of a name, so the number of streams stays the same. */
export const streamNames = Array.from({ length: 10 }, (_, index) => `stream ${index}`)

export interface StreamContext {
  /** Stays subscribed to all streams, so that no private stream is deleted for lack of subscribers. */
  owner: Client
  /** Other users who register. They mute topics, and those with `joins` subscribe and unsubscribe. */
  readers: { client: Client; user_id: UserId; joins: boolean }[]
  users: UserId[]
}

/** Makes one random change of streams. Writers conflict, so refusals are ignored; server errors are not. */
export async function changeStreams(context: StreamContext): Promise<void> {
  try {
    await some(changes)(context)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
  }
}

const changes: ((context: StreamContext) => Promise<unknown>)[] = [
  (context) =>
    context.owner.subscriptions.subscribe({
      subscriptions: [{ name: some(streamNames) }],
      principals: somePeople(context),
    }),
  (context) =>
    context.owner.subscriptions.unsubscribe({
      subscriptions: [some(streamNames), some(streamNames)],
      principals: somePeople(context),
    }),
  muteTopic,
  muteTopic,
  async ({ owner }) => {
    const { stream_id, name } = await someStream(owner)
    const new_name = name.startsWith('s') ? name.toUpperCase() : name.toLowerCase()
    await owner.streams.update({ stream_id, new_name })
  },
  async ({ owner }) => {
    const { stream_id, invite_only } = await someStream(owner)
    await owner.streams.update({ stream_id, is_private: !invite_only })
  },
  async ({ owner }) => {
    const { stream_id } = await someStream(owner)
    await owner.defaultStreams[some(['add', 'remove'])]({ stream_id })
  },
]

function muteTopic({ owner, readers }: StreamContext): Promise<unknown> {
  const { subscriptions } = some([owner, ...readers.map(({ client }) => client)])
  return subscriptions.muteTopic({
    stream: some(streamNames),
    topic: `topic ${randomInt(5)}`,
    op: some(['add', 'remove']),
  })
}

const some = <const Item>(items: readonly Item[]): Item => items[randomInt(items.length)] as Item

function somePeople({ readers, users }: StreamContext): UserId[] {
  return [some(readers.filter(({ joins }) => joins)).user_id, some(users), some(users)]
}

async function someStream(owner: Client) {
  const { streams } = await owner.streams.list()
  return some(streams)
}
