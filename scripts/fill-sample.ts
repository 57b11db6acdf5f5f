import { createClient } from '@oxbow/sdk'
import { addUserByOperator, loadConfig, OperatorError, openApp, revealApiKey } from '@oxbow/server'
import { fillSampleOrganization, type SentSample, setSampleTimes } from '@oxbow/testkit'
import pg from 'pg'

// npm run sample: fills the organization of `npm run dev`, whose nodes must be running, with people and conversations.
const port = Number(process.env.OXBOW_PORT ?? 8484)
const databaseUrl = process.env.DATABASE_URL ?? 'postgres:///oxbow_dev?host=/var/run/postgresql'
const env = { ...process.env, DATABASE_URL: databaseUrl, OXBOW_MODE: 'development' }
const { config } = loadConfig({ log_level: 'error' }, env)
const { app, close } = await openApp(config)
const database = new pg.Pool({ connectionString: databaseUrl })

try {
  await fillSampleOrganization({ person: findOrCreatePerson, setTimes, weatherReports: 1_500 })
  process.stdout.write('The Garden has 12 people and their conversations now. Reload open pages.\n')
} finally {
  await database.end()
  await close()
}

async function findOrCreatePerson(name: string, full_name: string) {
  const email = `${name}@garden.example`
  const account = await revealApiKey(app, '', email).catch((error) => {
    if (!(error instanceof OperatorError)) throw error
    return addUserByOperator(app, { subdomain: '', email, full_name, role: 'member', password: name })
  })
  const { user_id, api_key } = account
  return { ...createClient({ url: `http://localhost:${port}`, credentials: { email, api_key } }), user_id }
}

function setTimes(messages: readonly SentSample[]): Promise<void> {
  return setSampleTimes((text, values) => database.query(text, values), messages)
}
