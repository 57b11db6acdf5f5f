// The PostgreSQL server on which tests create their databases. This module imports nothing, because the runner of the
// tests loads it too.

const serverUrl = process.env.DATABASE_URL ?? 'postgres:///postgres?host=/var/run/postgresql'

/** Returns the URL of a database of the test server. */
export function urlOf(database: string, server = serverUrl): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** Maximum number of connections that two nodes, their test and its reservation need. */
const connectionsPerDatabase = 20
/** Connections that are left for administration and for other programs. */
const spareConnections = 10

/** Returns how many test databases, with two nodes each, can be used at once with this `max_connections`. */
export const databasesFor = (connections: number): number =>
  Math.floor((connections - spareConnections) / connectionsPerDatabase)

/** Returns the `max_connections` that this many test databases need. */
export const connectionsFor = (databases: number): number =>
  databases * connectionsPerDatabase + spareConnections
