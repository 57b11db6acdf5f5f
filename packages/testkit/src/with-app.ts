import { createOrganization, loadConfig, type OpenApp, openApp } from '@oxbow/server'
import { testSecret } from './databases.ts'
import { patientLimits } from './test-server.ts'

type App = OpenApp['app']

/** Opens a database without a node, as commands do, and closes it when `work` is done. */
export async function withApp<Result>(
  database_url: string,
  work: (app: App) => Promise<Result>,
): Promise<Result> {
  const { config } = loadConfig({ database_url, secret: testSecret, log_level: 'silent' }, {})
  const { app, close } = await openApp(config, { passwordCost: 'cheap', ...patientLimits })
  try {
    return await work(app)
  } finally {
    await close()
  }
}

export interface GardenOptions {
  /** Whether the organization begins with the streams of a new organization. True by default. */
  streams?: boolean
}

/** Creates an organization at the root host. Returns the account of its owner. */
export const createGarden = (app: App, options: GardenOptions = {}) =>
  createOrganization(app, {
    name: 'The Garden',
    subdomain: '',
    owner: { email: 'owner@garden.example', full_name: 'Olive Owner' },
    ...options,
  })
