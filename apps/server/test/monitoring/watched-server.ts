import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, createOrganization, loadConfig, type Node, startNode } from '@oxbow/server'
import {
  basic,
  eventually,
  freePort,
  LogCapture,
  type MailServer,
  request,
  startMailServer,
  testSecret,
} from '@oxbow/testkit'
import { backUpServer } from '../../src/operators/backup.ts'

/** Two nodes whose metrics a Prometheus can read. */
export interface WatchedServer extends AsyncDisposable {
  /** Addresses of the nodes' metrics. */
  targets: readonly string[]
  mail: MailServer
  nodes: { a: Node; b: Node }
  owner: { email: string; api_key: string }
  /** Stops a node if it still runs, and starts it again at its address, with these settings in addition. */
  restart(name: 'a' | 'b', config?: Partial<Config>): Promise<void>
  backUp(): Promise<void>
  /** Calls an endpoint of node a as the owner. */
  call(method: string, path: string, form?: Record<string, string>): ReturnType<typeof request>
  /** Sends a message of the owner to themself through node a. */
  send(text: string): ReturnType<typeof request>
  /** Sends such a message to a client that waits on node b. Resolves when the client has it. */
  deliver(text: string): Promise<void>
}

/** A job that the nodes of the test do not run. */
export const idleJob = 'mail_password_reset'

export interface WatchedOptions {
  database_url: string
  files_dir?: string
  /** More settings of both nodes. */
  config?: Partial<Config>
}

export async function startWatchedServer({
  database_url,
  files_dir = join(tmpdir(), `oxbow-files-${randomUUID()}`),
  config = {},
}: WatchedOptions): Promise<WatchedServer> {
  const mail = await startMailServer()
  const data_dir = join(tmpdir(), `oxbow-data-${randomUUID()}`)
  const targets = { a: `127.0.0.1:${await freePort()}`, b: `127.0.0.1:${await freePort()}` }
  const start = async (name: 'a' | 'b', more: Partial<Config> = {}) =>
    startNode(
      loadConfig(
        {
          database_url,
          data_dir,
          files_dir,
          metrics_listen: targets[name],
          host: '127.0.0.1',
          port: 0,
          secret: testSecret,
          rate_limit_per_minute: 0,
          database_pool_size: 5,
          smtp_url: mail.url,
          external_url: 'http://chat.example',
          ...config,
          ...more,
        },
        {},
      ).config,
      { logTo: new LogCapture(), passwordCost: 'cheap', monitorMs: 500, idleJobs: [idleJob] },
    )
  const nodes = { a: await start('a'), b: await start('b') }
  const owner = await createOrganization(nodes.a.app, {
    name: 'The Garden',
    subdomain: '',
    owner: { email: 'owner@garden.example', full_name: 'Olive Owner' },
  })
  const headers = { authorization: basic(owner), host: 'chat.example' }
  const call: WatchedServer['call'] = (method, path, form) =>
    request(nodes.a.url, { method, path: `/api/v1${path}`, headers, ...(form && { form }) })
  const send = (text: string) =>
    call('POST', '/messages', { type: 'private', to: JSON.stringify([owner.email]), content: text })
  return {
    targets: Object.values(targets),
    mail,
    nodes,
    owner,
    async restart(name, more) {
      await nodes[name].stop()
      nodes[name] = await start(name, more)
    },
    async backUp() {
      const path = `${data_dir}.backup`
      await backUpServer(nodes.a.app.config, path, { warn: () => {} })
      await rm(path)
    },
    call,
    send,
    async deliver(text) {
      const { body } = await call('POST', '/register', { event_types: '["message"]' })
      const query = { queue_id: String(body.queue_id), last_event_id: String(body.last_event_id) }
      const poll = request(nodes.b.url, { path: '/api/v1/events', query, headers })
      await eventually(() =>
        [...nodes.b.app.events.log.organizations.values()].some(({ listening }) => listening.size > 0),
      )
      await send(text)
      const { text: answer } = await poll
      if (!answer.includes(text)) throw new Error(`the client got no message: ${answer}`)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([nodes.a.stop(), nodes.b.stop()])
      await mail[Symbol.asyncDispose]()
      for (const path of [files_dir, data_dir]) await rm(path, { recursive: true, force: true })
    },
  }
}
