import { toApiError } from './api-errors.ts'
import { buildClient, type Client } from './client.ts'
import type { FollowOptions } from './events/follow.ts'
import { type Follower, followQueue } from './events/follow-events.ts'
import type { ClientOptions } from './request.ts'

export { ApiError, type Event } from '@oxbow/contract'
export { type Bot, createBot, type MessageContext, type MessageHandler, type ReceivedMessage } from './bot.ts'
export * from './shared.ts'
export { type Poll, type PollOption, readWidget, type Task, type TodoList, type Widget } from './widgets.ts'

/** Returns a client whose calls throw the server's errors as `ApiError`. */
export function createClient(options: ClientOptions): Client {
  return buildClient({ ...options, toError: toApiError })
}

/** Follows the events of an organization, see `followQueue`. The server's errors are `ApiError`s. */
export function followEvents(options: ClientOptions, followOptions?: FollowOptions): Follower {
  return followQueue({ ...options, toError: toApiError }, followOptions)
}
