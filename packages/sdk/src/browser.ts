import { buildClient, type Client } from './client.ts'
import type { FollowOptions } from './events/follow.ts'
import { type Follower, followQueue } from './events/follow-events.ts'
import type { ClientOptions } from './request.ts'
import { toRequestError } from './request-error.ts'

export { RequestError } from './request-error.ts'
export * from './shared.ts'
export { wakeWithBrowser } from './wake-with-browser.ts'

/** Returns a client whose calls throw the server's errors as `RequestError`. */
export function createBrowserClient(options: ClientOptions): Client {
  return buildClient({ ...options, toError: toRequestError })
}

/** Follows the events of an organization, see `followQueue`. The server's errors are `RequestError`s. */
export function followEventsInBrowser(options: ClientOptions, followOptions?: FollowOptions): Follower {
  return followQueue({ ...options, toError: toRequestError }, followOptions)
}
