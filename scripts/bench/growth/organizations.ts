import { createOrganization, loadConfig, openApp } from '@oxbow/server'
import { type Account, createTestDatabase, hostOf, startNodeProcess, testSecret } from '@oxbow/testkit'
import { median, print } from '../figures.ts'
import { Connection } from '../messages/connection.ts'
import { makeProbe } from '../probe/ask-probe.ts'
import { record } from '../results.ts'

const counts = [1, 100, 1_000]
const rounds = 5
const sendsPerRound = 400
/** Number of sends that are not measured, in which the node compiles code. */
const warmUpSends = 1_000

/** Measures sends that are spread over all organizations of one node, and the node's memory. */
export async function growOrganizations(): Promise<void> {
  await using database = await createTestDatabase()
  const owners: Account[] = []
  for (const count of counts) {
    await addOrganizations(database.url, owners, count)
    const probe = await makeProbe()
    const settings = { OXBOW_RATE_LIMIT_PER_MINUTE: '0' }
    await using node = await startNodeProcess({
      database_url: database.url,
      env: { ...settings, ...probe.env },
    })
    using connections = new DisposableStack()
    const senders = owners.map((owner, index) =>
      connections.use(new Connection(node.url, owner, index === 0 ? undefined : hostOf(subdomainOf(index)))),
    )
    let sent = 0
    const send = async (sends: number) => {
      for (let each = 0; each < sends; each++) {
        const connection = senders[sent++ % senders.length]
        await connection?.post('/messages', { type: 'stream', to: 'general', topic: 'roses', content: text })
      }
    }
    await send(Math.max(warmUpSends, count))
    const costs: number[] = []
    for (let round = 0; round < rounds; round++) {
      const before = await probe.cpu()
      await send(sendsPerRound)
      costs.push((((await probe.cpu()) - before) / sendsPerRound) * 1_000)
    }
    const [cost, { heap }] = [median(costs), await probe.memory()]
    print(`${count} organizations: ${cost.toFixed(0)} µs a send, ${(heap / 2 ** 20).toFixed(1)} MB of heap`)
    const common = { bench: 'organizations', count, better: 'less' } as const
    record({ ...common, name: 'processor time of a send', value: cost, unit: 'µs' })
    record({ ...common, name: 'heap and external memory', value: heap / 2 ** 20, unit: 'MB' })
  }
}

const text = 'The roses by the south wall want *pruning* before the first frost comes.'
const subdomainOf = (index: number): string => (index === 0 ? '' : `garden${index}`)

/** Creates organizations with their first streams until there are `count`. */
async function addOrganizations(database_url: string, owners: Account[], count: number): Promise<void> {
  const { config } = loadConfig({ database_url, secret: testSecret, log_level: 'silent' }, {})
  const { app, close } = await openApp(config)
  try {
    while (owners.length < count) {
      const owner = { email: `owner${owners.length}@garden.example`, full_name: 'Olive Owner' }
      const fields = { name: `Garden ${owners.length}`, subdomain: subdomainOf(owners.length), owner }
      owners.push(await createOrganization(app, fields))
    }
  } finally {
    await close()
  }
}
