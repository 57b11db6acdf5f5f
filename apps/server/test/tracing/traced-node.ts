import { setPasswordByOperator } from '@oxbow/server'
import {
  createGarden,
  createTestDatabase,
  type NodeProcess,
  startNodeProcess,
  type TestDatabase,
  withApp,
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

const createOwner = (database_url: string) =>
  withApp(database_url, async (app) => {
    const owner = await createGarden(app)
    await setPasswordByOperator(app, { subdomain: '', email: owner.email, password: ownerPassword })
    return owner
  })
