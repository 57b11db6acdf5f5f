import { setTimeout } from 'node:timers/promises'
import type { Fleet } from '@oxbow/testkit'
import type { Cluster } from './cluster.ts'

export interface Trial {
  name: string
  /** Causes the fault and ends it. Clients receive events again when this resolves. */
  run(cluster: Cluster, fleet: Fleet): Promise<void>
}

/** A frozen or cut-off leader returns only after another member has been the leader for this long. */
const staleMs = 5_000

export const trials: Trial[] = [
  {
    name: 'planned switchover',
    async run(cluster, fleet) {
      const { apiUrl, name } = await cluster.waitForLeader()
      const response = await fetch(`${apiUrl}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: name }),
      })
      if (!response.ok) throw new Error(`no switchover: ${await response.text()}`)
      await fleet.waitForEvents()
    },
  },
  {
    name: "kill -9 of the leader's PostgreSQL",
    async run(cluster, fleet) {
      const leader = await cluster.waitForLeader()
      leader.killPostgres()
      await fleet.waitForEvents()
    },
  },
  {
    name: "kill -9 of the leader's machine",
    async run(cluster, fleet) {
      const leader = await cluster.waitForLeader()
      await leader.kill()
      await fleet.waitForEvents()
    },
  },
  {
    name: "leader's machine frozen, and back",
    async run(cluster, fleet) {
      const leader = await cluster.waitForLeader()
      leader.freeze()
      try {
        await fleet.waitForEvents()
        await setTimeout(staleMs)
      } finally {
        leader.thaw()
      }
    },
  },
  {
    name: 'leader cut off, and back',
    async run(cluster, fleet) {
      const leader = await cluster.waitForLeader()
      leader.cutOff()
      try {
        await fleet.waitForEvents()
        await setTimeout(staleMs)
      } finally {
        leader.reconnect()
      }
    },
  },
  {
    name: 'kill -9 of the synchronous standby',
    async run(cluster, fleet) {
      await (await cluster.findSynchronousStandby()).kill()
      await fleet.waitForEvents()
    },
  },
  {
    name: 'etcd restarted',
    async run(cluster, fleet) {
      await cluster.restartEtcd()
      await fleet.waitForEvents()
    },
  },
]
