import { startPostgresServer } from './postgres-server.ts'
import { startTcpProxy } from './tcp-proxy.ts'

export interface FailoverDatabase extends AsyncDisposable {
  /** Stays the same whichever server answers. */
  url: string
  /** Breaks down and comes back. */
  restart(): Promise<void>
  /** Brings up a standby that follows. */
  addStandby(): Promise<void>
  /** From now on what is committed does not reach the standby. */
  stopReplication(): void
  /** The primary is gone with what the standby lacks; the standby takes over. */
  failOver(): Promise<void>
}

/** A primary, a standby when asked for, and the address behind which one follows the other. */
export async function startFailoverDatabase(name: string): Promise<FailoverDatabase> {
  let primary = await startPostgresServer()
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
