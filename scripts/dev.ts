import { spawn } from 'node:child_process'
import {
  addUserByOperator,
  createOrganization,
  listOrganizations,
  loadConfig,
  openApp,
  revealApiKey,
} from '@oxbow/server'
import { startVite } from '../apps/web/scripts/start-vite.ts'

// Starts the web client with hot reload and two nodes that restart when a file changes, and creates
// an organization with people. There are always two nodes, so that mistakenly keeping state in one
// node is noticed early.
const first = Number(process.env.OXBOW_PORT ?? 8484)
const ports = [first, first + 1]
/** Port of the web client with hot reload. */
const webPort = Number(process.env.OXBOW_DEV_WEB_PORT ?? 5173)
/**
 * Returns the port at which a debugger can attach to the node of a port: 9229 for 8484, 9230 for
 * the next one.
 */
const inspectorPortOf = (port: number) => 9229 + (port - 8484)
const env = {
  ...process.env,
  DATABASE_URL: process.env.DATABASE_URL ?? 'postgres:///oxbow_dev?host=/var/run/postgresql',
  OXBOW_MODE: 'development',
  OXBOW_RATE_LIMIT_PER_MINUTE: '0',
  OXBOW_DRAIN_SECONDS: '0',
}
const print = (text: string) => process.stdout.write(`${text}\n`)

const { config } = loadConfig({ log_level: 'error' }, env)
const { app, close } = await openApp(config)
if ((await listOrganizations(app.db)).length === 0) {
  const owner = { email: 'olive@garden.example', full_name: 'Olive Owner', password: 'olive' }
  await createOrganization(app, { name: 'The Garden', subdomain: '', owner })
  for (const [name, role] of [
    ['iris', 'administrator'],
    ['otto', 'member'],
    ['fern', 'member'],
    ['gus', 'guest'],
  ] as const) {
    const full_name = `${name[0]?.toUpperCase()}${name.slice(1)} Gardener`
    await addUserByOperator(app, {
      subdomain: '',
      email: `${name}@garden.example`,
      full_name,
      role,
      password: name,
    })
  }
}
const { email, api_key } = await revealApiKey(app, '', 'olive@garden.example')
await close()

print(
  'The Garden has olive (owner), iris (administrator), otto, fern and gus (guest). Each password is the name.',
)
print(`Sign in: http://localhost:${webPort}/login as ${email}`)
print(`Try: curl -u ${email}:${api_key} http://localhost:${ports[0]}/api/v1/users/me`)
print(`Reference: http://localhost:${ports[0]}/api/docs\n`)
const nodes = ports.map((port) =>
  spawn(
    process.execPath,
    [
      '--watch',
      '--watch-preserve-output',
      `--inspect=127.0.0.1:${inspectorPortOf(port)}`,
      'apps/cli/src/main.ts',
      'serve',
      '--port',
      String(port),
    ],
    {
      env,
      stdio: 'inherit',
    },
  ),
)
const vite = await startVite(webPort, `http://localhost:${ports[0]}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const node of nodes) node.kill(signal)
    void vite.close()
  })
}
