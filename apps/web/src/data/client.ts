import { type Client, type ClientOptions, createClient } from '@oxbow/sdk'

/** The node that served the page; the session cookie of the browser signs the requests. */
export const clientOptions: ClientOptions = {
  url: typeof location === 'undefined' ? 'http://localhost' : location.origin,
}

/** Typed calls of the server's API. Components do not use it; actions do. */
export const client: Client = createClient(clientOptions)
