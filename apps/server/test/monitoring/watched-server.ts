import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOrganization, loadConfig, type Node, startNode } from '@oxbow/server'
import {
  basic,
  eventually,
  freePort,
  LogCapture,
  type MailServer,
  type Prometheus,
  request,
  startMailServer,
  startPrometheus,
  testSecret,
} from '@oxbow/testkit'
import { backUpServer } from '../../src/operate-backup.ts'
import { rulesFile } from './monitoring-files.ts'

/** Two nodes that a real Prometheus reads, with the alert rules of the repository and shorter times. */
export interface WatchedServer extends AsyncDisposable {
  prometheus: Prometheus
  mail: MailServer
  nodes: { a: Node; b: Node }
  owner: { email: string; api_key: string }
  /** Starts node b again at its address, after the test stopped it. */
  restartB(): Promise<void>
  backUp(): Promise<void>
  /** Calls an endpoint of node a as the owner. */
  call(method: string, path: string, form?: Record<string, string>): ReturnType<typeof request>
  /** Sends a message from node a to a client that waits on node b. Resolves when the client has it. */
  deliver(text: string): Promise<void>
  listFiring(): Promise<Set<string>>
  /** Waits until each of these alerts has fired. */
  waitForFiring(...names: string[]): Promise<void>
  /** Waits until none of these alerts fires. */
  waitForQuiet(...names: string[]): Promise<void>
}

/** The range of rates and increases, in place of minutes. */
export const shortRange = '20s'

/** Returns the rules without pending times, and with short ranges. */
const shortenRules = (rules: string): string =>
  rules.replaceAll(/for: \w+/g, 'for: 0s').replaceAll(/\[\d+m\]/g, `[${shortRange}]`)

/** A job that the nodes of the test do not run. */
export const idleJob = 'mail_password_reset'

export interface WatchedOptions {
  database_url: string
  files_dir?: string
}

export async function startWatchedServer({
  database_url,
  files_dir = join(tmpdir(), `oxbow-files-${randomUUID()}`),
}: WatchedOptions): Promise<WatchedServer> {
  const mail = await startMailServer()
  const data_dir = join(tmpdir(), `oxbow-data-${randomUUID()}`)
  const targets = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`] as const
  const start = async (metrics_listen: string) => {
    return startNode(
      loadConfig(
        {
          database_url,
          data_dir,
          files_dir,
          metrics_listen,
          host: '127.0.0.1',
          port: 0,
          secret: testSecret,
          rate_limit_per_minute: 0,
          database_pool_size: 5,
          smtp_url: mail.url,
          external_url: 'http://chat.example',
        },
        {},
      ).config,
      { logTo: new LogCapture(), passwordCost: 'cheap', monitorMs: 500, idleJobs: [idleJob] },
    )
  }
  const nodes = { a: await start(targets[0]), b: await start(targets[1]) }
  const owner = await createOrganization(nodes.a.app, {
    name: 'The Garden',
    subdomain: '',
    owner: { email: 'owner@garden.example', full_name: 'Olive Owner' },
  })
  const prometheus = await startPrometheus({
    targets,
    rules: shortenRules(readFileSync(rulesFile, 'utf8')),
  })
  const authorization = basic(owner)
  const headers = { authorization, host: 'chat.example' }
  const call: WatchedServer['call'] = (method, path, form) =>
    request(nodes.a.url, { method, path: `/api/v1${path}`, headers, ...(form && { form }) })
  const listFiring = async (): Promise<Set<string>> =>
    new Set((await prometheus.rules()).filter(({ state }) => state === 'firing').map(({ name }) => name))
  return {
    prometheus,
    mail,
    nodes,
    owner,
    async restartB() {
      nodes.b = await start(targets[1])
    },
    async backUp() {
      const path = `${data_dir}.backup`
      await backUpServer(nodes.a.app.config, path, { warn: () => {} })
      await rm(path)
    },
    call,
    async deliver(text) {
      const { body } = await call('POST', '/register', { event_types: '["message"]' })
      const query = { queue_id: String(body.queue_id), last_event_id: String(body.last_event_id) }
      const poll = request(nodes.b.url, { path: '/api/v1/events', query, headers })
      await eventually(() =>
        [...nodes.b.app.events.log.organizations.values()].some(({ listening }) => listening.size > 0),
      )
      await call('POST', '/messages', { type: 'private', to: JSON.stringify([owner.email]), content: text })
      const { text: answer } = await poll
      if (!answer.includes(text)) throw new Error(`the client got no message: ${answer}`)
    },
    listFiring,
    async waitForFiring(...names) {
      const missing = new Set(names)
      await eventually(async () => {
        for (const name of await listFiring()) missing.delete(name)
        return missing.size === 0
      }, 90_000).catch(() => {
        throw new Error(`these alerts did not fire: ${[...missing].join(', ')}`)
      })
    },
    async waitForQuiet(...names) {
      let firing: string[] = []
      await eventually(async () => {
        const all = await listFiring()
        firing = names.filter((name) => all.has(name))
        return firing.length === 0
      }, 120_000).catch(() => {
        throw new Error(`these alerts do not end: ${firing.join(', ')}`)
      })
    },
    async [Symbol.asyncDispose]() {
      await prometheus[Symbol.asyncDispose]()
      await Promise.all([nodes.a.stop(), nodes.b.stop()])
      await mail[Symbol.asyncDispose]()
      for (const path of [files_dir, data_dir]) await rm(path, { recursive: true, force: true })
    },
  }
}
