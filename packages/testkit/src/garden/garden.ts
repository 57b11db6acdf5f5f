import { type Client, createClient } from '@oxbow/sdk'
import {
  addUserByOperator,
  type Config,
  createOrganization,
  loadConfig,
  type Node,
  startNode,
} from '@oxbow/server'
import { sendToStream } from '../calls/messages.ts'
import { testSecret } from '../databases.ts'
import { LogCapture } from '../log-capture.ts'
import { patientLimits } from '../test-server.ts'

export interface Credentials {
  email: string
  api_key: string
}

export interface Garden {
  owner: Credentials & { user_id: number }
  iris: Credentials & { user_id: number }
}

export interface StartedNode extends AsyncDisposable {
  node: Node
  log: LogCapture
  /** Returns a client of this node for an account. */
  as(account: Credentials): Client
}

/** Starts a node on a database, with settings for tests. */
export async function startNodeOn(database_url: string, more: Partial<Config> = {}): Promise<StartedNode> {
  const log = new LogCapture()
  const settings = { database_url, port: 0, secret: testSecret, rate_limit_per_minute: 0, ...more }
  const { config } = loadConfig(settings, {})
  const node = await startNode(config, {
    ...patientLimits,
    logTo: log,
    passwordCost: 'cheap',
    idleJobs: ['send-notices'],
  })
  return {
    node,
    log,
    as: (credentials) => createClient({ url: node.url, credentials }),
    [Symbol.asyncDispose]: () => node.stop(),
  }
}

/** Creates an organization with rows in most tables. */
export async function createGardenOrganization({ node, as }: StartedNode): Promise<Garden> {
  const owner = await createOrganization(node.app, {
    name: 'The Garden',
    subdomain: '',
    owner: { email: 'owner@garden.example', full_name: 'Olive Owner' },
  })
  const account = { subdomain: '', email: 'iris@garden.example', full_name: 'Iris Gardener' }
  const iris = await addUserByOperator(node.app, { ...account, role: 'member' })
  const [olive, client] = [as(owner), as(iris)]
  const principals = [owner.user_id, iris.user_id]
  await olive.subscriptions.subscribe({ subscriptions: [{ name: 'roses' }], principals })
  for (let count = 0; count < 20; count++) {
    const content = `Pruned rose ${count}, **twice**.`
    const id = await sendToStream(client, 'roses', 'spring', content)
    if (count % 5 === 0) await olive.messages.addReaction({ message_id: id, emoji_name: 'tada' })
  }
  await client.messages.send({ type: 'private', to: [owner.user_id], content: 'For your eyes.' })
  await client.events.register({ fetch_event_types: [] })
  return { owner, iris }
}
