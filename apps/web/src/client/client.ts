import { type Client, type ClientOptions, createBrowserClient } from '@oxbow/sdk/browser'
import { checkSession, findUserId } from './account/session.ts'
import { hasEnded } from './connection.ts'

/**
 * Requests go to the node that served the page, authenticated by the browser's session. Once the session of
 * the page has ended, none is made.
 */
export const clientOptions: ClientOptions = {
  url: '',
  credentials: 'session',
  findUserId,
  onSignedOut: () => void checkSession(),
  beforeRequest: () => {
    if (hasEnded.peek()) throw new Error('The session of this page has ended')
  },
}

/** Typed calls of the server's API, for actions. Components do not call it. */
export const client: Client = createBrowserClient(clientOptions)
