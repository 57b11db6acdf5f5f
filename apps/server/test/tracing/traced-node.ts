import { createOrganization, loadConfig, openApp, setPasswordByOperator } from '@oxbow/server'
import {
  createTestDatabase,
  type NodeProcess,
  startNodeProcess,
  type TestDatabase,
  testSecret,
} from '@oxbow/testkit'

export interface TracedNode extends AsyncDisposable {
  node: NodeProcess
  database: TestDatabase
  owner: { email: string; api_key: string }
}

export const ownerPassword = 'forty marigolds by the pond'

/** Starts a node as a process with these variables, for an organization whose owner has a password. */
export async function startTracedNode(env: Record<string, string>): Promise<TracedNode> {
  const database = await createTestDatabase()
  const owner = await createOwner(database.url)
  const node = await startNodeProcess({ database_url: database.url, env })
  return {
    node,
    database,
    owner,
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

async function createOwner(database_url: string) {
  const { config } = loadConfig({ database_url, secret: testSecret, log_level: 'silent' }, {})
  const { app, close } = await openApp(config, { passwordCost: 'cheap' })
  try {
    const owner = { email: 'owner@garden.example', full_name: 'Olive Owner' }
    const created = await createOrganization(app, { name: 'The Garden', subdomain: '', owner })
    await setPasswordByOperator(app, { subdomain: '', email: owner.email, password: ownerPassword })
    return created
  } finally {
    await close()
  }
}
