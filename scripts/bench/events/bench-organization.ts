import { addUserByOperator, createOrganization, loadConfig, openApp } from '@oxbow/server'
import {
  type Account,
  basic,
  createTestDatabase,
  eventually,
  metricsToken,
  type NodeProcess,
  request,
  startNodeProcess,
  type TestDatabase,
  testSecret,
} from '@oxbow/testkit'
import { makeProbe, type Probe } from '../probe/ask-probe.ts'
import { insertAndPoke } from './outbox.ts'
import type { Poll } from './polling-clients.ts'

/** An organization with a few accounts in its own database. */
export interface BenchOrganization extends AsyncDisposable {
  database: TestDatabase
  organization_id: number
  accounts: readonly Account[]
  /** Emits one event for everyone. */
  emit(): Promise<void>
  /** Returns the newest number of the log. */
  head(): Promise<number>
}

export type ProbedNode = NodeProcess & { probe: Probe }

/** Enough accounts for 10,000 queues, because an account may have 1,000. */
const usualAccounts = 20

export async function createBenchOrganization(accountCount = usualAccounts): Promise<BenchOrganization> {
  const database = await createTestDatabase()
  const { config } = loadConfig({ database_url: database.url, secret: testSecret, log_level: 'silent' }, {})
  const { app, close } = await openApp(config)
  try {
    const founder = { email: 'owner@garden.example', full_name: 'Olive Owner' }
    const owner = await createOrganization(app, {
      name: 'The Garden',
      subdomain: '',
      owner: founder,
      streams: false,
    })
    const accounts: Account[] = [owner]
    while (accounts.length < accountCount) {
      const name = `person${accounts.length}`
      const fields = { subdomain: '', email: `${name}@garden.example`, full_name: name }
      accounts.push(await addUserByOperator(app, { ...fields, role: 'member' }))
    }
    return {
      database,
      organization_id: owner.organization_id,
      accounts,
      emit: async () => void (await database.query(insertAndPoke(owner.organization_id))),
      head: async () => {
        const [row] = await database.query<{ last_seq: string }>('select last_seq from event_head')
        return Number(row?.last_seq ?? 0)
      },
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    }
  } finally {
    await close()
  }
}

export async function startProbedNode(
  { database }: BenchOrganization,
  settings: Record<string, string> = {},
): Promise<ProbedNode> {
  const probe = await makeProbe()
  const env = { ...settings, ...probe.env }
  return Object.assign(await startNodeProcess({ database_url: database.url, env }), { probe })
}

export async function registerQueue(url: string, account: Account, types = ['bench']): Promise<Poll> {
  const form = { event_types: JSON.stringify(types), fetch_event_types: '[]', queue_lifespan_secs: '3600' }
  const { body, text } = await request(url, {
    method: 'POST',
    path: '/api/v1/register',
    credentials: account,
    form,
  })
  if (typeof body.queue_id !== 'string') throw new Error(`a register was refused: ${text}`)
  const { queue_id, last_event_id } = body as unknown as Poll
  return { queue_id, last_event_id, authorization: basic(account) }
}

const maxConcurrentRegisters = 10

export async function registerQueues(
  url: string,
  { accounts }: Pick<BenchOrganization, 'accounts'>,
  count: number,
  types?: string[],
): Promise<Poll[]> {
  const polls: Poll[] = []
  await Promise.all(
    Array.from({ length: maxConcurrentRegisters }, async (_, first) => {
      for (let number = first; number < count; number += maxConcurrentRegisters) {
        polls.push(await registerQueue(url, accounts[number % accounts.length] as Account, types))
      }
    }),
  )
  return polls
}

/** Waits until this many polls are parked at the node. */
export async function waitForPolls({ url }: { url: string }, count: number): Promise<void> {
  await eventually(async () => (await metric(url, 'oxbow_events_polls')) === count, 60_000)
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (
    await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  ).text()
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
}
