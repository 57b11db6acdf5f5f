import assert from 'node:assert/strict'
import { type Client, createClient } from '@oxbow/sdk'
import { fetchAt } from './fetch-at.ts'
import { postFrom } from './post-from.ts'
import type { NodeName } from './test-server.ts'
import type { Person } from './world.ts'

/**
 * A client that authenticates like a browser: with a session cookie and the headers of a
 * same-origin request.
 */
export interface BrowserSession extends Client {
  readonly token: string
  /** The cookie, as a browser sends it. */
  readonly cookie: string
  /** The headers with which a browser marks requests from the organization's own pages. */
  readonly headers: Readonly<Record<string, string>>
  on(node: NodeName): Client
}

/** Nodes to sign in at. */
export interface Nodes {
  readonly nodes: Readonly<Record<NodeName, { readonly url: string }>>
}

export interface SignInOptions {
  is_trusted?: boolean
  node?: NodeName
  /** Host of the organization; by default the root host. */
  host?: string
  userAgent?: string
}

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Signs a person in through `POST /sessions`. */
export async function signIn(
  { nodes }: Nodes,
  { email, password }: Pick<Person, 'email' | 'password'>,
  { is_trusted = false, node = 'a', host, userAgent = firefox }: SignInOptions = {},
): Promise<BrowserSession> {
  const common = { 'sec-fetch-site': 'same-origin', 'user-agent': userAgent }
  const { status, headers, body } = await postFrom(
    '127.0.0.1',
    `${nodes[node].url}/api/v1/sessions`,
    { username: email, password, is_trusted: String(is_trusted) },
    { ...common, ...(host && { host }) },
  )
  assert.equal(status, 200, JSON.stringify(body))
  const [cookie = ''] = (headers['set-cookie']?.[0] ?? '').split(';')
  return resumeSession({ nodes }, cookie, { ...(host && { host }), userAgent })
}

/** Returns a client with the cookie of a session, `name=token`. */
export function resumeSession(
  { nodes }: Nodes,
  cookie: string,
  { host, userAgent = firefox }: Pick<SignInOptions, 'host' | 'userAgent'> = {},
): BrowserSession {
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'user-agent': userAgent }
  const send = host ? fetchAt(host) : fetch
  const on = (node: NodeName) =>
    createClient({
      url: nodes[node].url,
      fetch: (input, init = {}) =>
        send(input, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } }),
    })
  return { ...on('a'), token: cookie.slice(cookie.indexOf('=') + 1), cookie, headers, on }
}
