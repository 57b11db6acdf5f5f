import type { SourceFile } from './import-arrows.ts'

/**
 * Modules that can open a connection, each with its harmless exports. Imports of any other export
 * are reported.
 */
const connectingModules: Record<string, readonly string[]> = {
  net: ['BlockList', 'createServer', 'isIP', 'isIPv4', 'isIPv6', 'Server'],
  http: ['createServer', 'STATUS_CODES'],
  https: [],
  http2: [],
  tls: [],
  dgram: [],
  dns: [],
  'dns/promises': [],
  undici: [],
  pg: [],
  nodemailer: [],
  '@nats-io/transport-node': [],
  aws4fetch: ['AwsV4Signer'],
  '@opentelemetry/exporter-trace-otlp-proto': [],
}

/** Global functions that open a connection. */
const connectingGlobals = /(?<![\w.#'"`/-])(?:globalThis\.)?(fetch\(|new (?:WebSocket|EventSource)\()/

/** Files that may open connections, each to a service that the operator chose, or behind the guard. */
const allowed: Record<string, { to: string; modules: readonly string[] }> = {
  'platform/outbound/fetch-outbound.ts': { to: 'hosts of strangers, guarded', modules: ['undici'] },
  'platform/outbound/resolve-host.ts': { to: 'name servers', modules: ['dns/promises'] },
  'platform/files/s3/s3-client.ts': { to: 'the object store', modules: ['http', 'https'] },
  'platform/mail/mail.ts': { to: 'the mail server', modules: ['nodemailer'] },
  'platform/mail/check-mail-server.ts': { to: 'the mail server', modules: ['nodemailer'] },
  'operators/doctor/request-doctor-page.ts': {
    to: 'this server, by its external URL',
    modules: ['http', 'https'],
  },
  'platform/observe/tracing/start-tracing.ts': {
    to: 'the collector of traces',
    modules: ['@opentelemetry/exporter-trace-otlp-proto'],
  },
  'platform/http/connections.ts': { to: 'nobody: it recognizes sockets', modules: ['net'] },
  'platform/jobs/jobs.ts': { to: 'PostgreSQL', modules: ['pg'] },
  'platform/archive/open-session.ts': { to: 'PostgreSQL', modules: ['pg'] },
  'events/log/event-log.ts': { to: 'PostgreSQL', modules: ['pg'] },
  'operators/events.ts': { to: 'PostgreSQL', modules: ['pg'] },
  'events/direct-connection.ts': { to: 'PostgreSQL', modules: ['pg'] },
  'events/carriers/nats.ts': { to: 'NATS', modules: ['@nats-io/transport-node'] },
}
const databaseFolder = 'platform/database/'

const advice = 'requests to other hosts go through fetchOutbound (see scripts/checks/outbound-connections.ts)'

/**
 * Lists code of the server that could open a connection without the guard in `platform/outbound`:
 * imports of modules that connect, and global functions. Files in `allowed` are exempt for their
 * own modules.
 */
export function findOutboundConnections(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('apps/server/src/') && !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) => {
      const file = path.replace('apps/server/src/', '')
      const modules = listConnectingImports(text).filter((name) => !isAllowed(file, name))
      const found = modules.map((name) => `${path} imports ${name}: ${advice}`)
      const call = connectingGlobals.exec(withoutComments(text))?.[1]
      return call ? [...found, `${path} calls ${call}…): ${advice}`] : found
    })
}

function isAllowed(file: string, module: string): boolean {
  if (file.startsWith(databaseFolder)) return module === 'pg'
  return allowed[file]?.modules.includes(module) ?? false
}

const statements =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:([^'"`;]*?)\sfrom\s+)?['"]([^'"]+)['"]|\b(?:import|require|createRequire\([^)]*\))\(\s*['"]([^'"]+)['"]\s*\)/g

/**
 * Returns the modules that can connect and from which a file imports more than types and harmless
 * names.
 */
function listConnectingImports(text: string): string[] {
  return [...text.matchAll(statements)].flatMap(([, isType, names = '', target, dynamic]) => {
    const module = (target ?? dynamic ?? '').replace(/^node:/, '')
    const harmless = Object.hasOwn(connectingModules, module) ? connectingModules[module] : undefined
    if (!harmless || isType) return []
    const listed = /^\{([^}]*)\}$/.exec(names.trim())?.[1]
    // A default import, a namespace import and a dynamic import give access to every export.
    if (listed === undefined) return [module]
    const imported = listed.split(',').map((name) => name.trim())
    const isHarmless = (name: string) =>
      name === '' || name.startsWith('type ') || harmless.includes(name.split(' as ')[0] ?? '')
    return imported.every(isHarmless) ? [] : [module]
  })
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '')
