import { type Client, type ClientOptions, createClient } from '@oxbow/sdk/browser'

/** Requests go to the node that served the page, authenticated by the browser's session. */
export const clientOptions: ClientOptions = { url: '', credentials: 'session' }

/** Typed calls of the server's API, for actions. Components do not call it. */
export const client: Client = createClient(clientOptions)
