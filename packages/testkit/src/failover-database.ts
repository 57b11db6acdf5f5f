import { startPostgresServer } from './postgres-server.ts'
import { startTcpProxy } from './tcp-proxy.ts'

export interface FailoverDatabase extends AsyncDisposable {
  /** The URL, which stays the same after a failover. */
  url: string
  /** Crashes the primary and restarts it. */
  restart(): Promise<void>
  /** Starts a standby that replicates from the primary. */
  addStandby(): Promise<void>
  /** Stops replication, so that later commits do not reach the standby. */
  stopReplication(): void
  /** Removes the primary, including all commits that the standby does not have, and promotes the standby. */
  failOver(): Promise<void>
}

/** Starts a primary with a migrated database behind a proxy, whose address stays the same after a failover to the standby. */
export async function startFailoverDatabase(name: string): Promise<FailoverDatabase> {
  let primary = await startPostgresServer({ database: name })
  let standby: Awaited<ReturnType<typeof primary.startStandby>> | undefined
  const address = await startTcpProxy(primary.port)
  const getStandby = () => {
    if (!standby) throw new Error('there is no standby')
    return standby
  }
  return {
    url: `postgres://postgres@127.0.0.1:${address.port}/${name}`,
    restart: () => primary.restart(),
    async addStandby() {
      standby = await primary.startStandby()
    },
    stopReplication: () => getStandby().network.close(),
    async failOver() {
      const next = getStandby()
      address.close()
      await primary[Symbol.asyncDispose]()
      await next.promote()
      primary = next
      standby = undefined
      address.pointTo(primary.port)
    },
    async [Symbol.asyncDispose]() {
      await address[Symbol.asyncDispose]()
      await standby?.[Symbol.asyncDispose]()
      await primary[Symbol.asyncDispose]()
    },
  }
}
