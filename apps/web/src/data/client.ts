import { type Client, type ClientOptions, createClient } from '@oxbow/sdk/browser'

/** The node that served the page; the session of the browser signs the requests. */
export const clientOptions: ClientOptions = { url: '', credentials: 'session' }

/** Typed calls of the server's API. Components do not use it; actions do. */
export const client: Client = createClient(clientOptions)
