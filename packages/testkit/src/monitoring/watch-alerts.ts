import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { startAlertmanager } from '../alertmanager.ts'
import { eventually } from '../eventually.ts'
import { type Prometheus, startPrometheus } from '../prometheus.ts'
import { rulesFile } from './monitoring-files.ts'

/** The range of rates and increases, in place of minutes. */
export const shortRange = '20s'

/** The range of figures of the last days. */
const shortHistory = '2m'

/** Returns the rules of the repository without pending times, and with short ranges. */
export const shortenRules = (): string =>
  readFileSync(rulesFile, 'utf8')
    .replaceAll(/for: \w+/g, 'for: 0s')
    .replaceAll(/\[\d+m\]/g, `[${shortRange}]`)
    .replaceAll(/\[\d+d\]/g, `[${shortHistory}]`)

/** A real Prometheus with the alert rules of the repository, and an Alertmanager that notifies the test. */
export interface AlertWatch extends AsyncDisposable {
  prometheus: Prometheus
  /** Waits until the Alertmanager has notified that each of these alerts fires. */
  waitForFiring(...names: string[]): Promise<void>
  /** Waits until the Alertmanager has notified that each of these alerts is resolved. */
  waitForResolved(...names: string[]): Promise<void>
}

interface Notification {
  status: 'firing' | 'resolved'
  groupLabels: { alertname: string }
}

/** Watches the metrics at these addresses (host and port). */
export async function watchAlerts(targets: readonly string[]): Promise<AlertWatch> {
  await using starting = new AsyncDisposableStack()
  /** The status of each alert in the newest notification about it. */
  const statuses = new Map<string, Notification['status']>()
  const receiver = createServer(async (incoming, response) => {
    const { status, groupLabels } = (await json(incoming)) as Notification
    statuses.set(groupLabels.alertname, status)
    response.end()
  })
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
  starting.defer(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  const { port } = receiver.address() as AddressInfo
  const alertmanager = starting.use(await startAlertmanager(`http://127.0.0.1:${port}/`))
  const prometheus = starting.use(
    await startPrometheus({ targets, rules: shortenRules(), alertmanager: alertmanager.address }),
  )
  const waitFor = async (wanted: Notification['status'], names: readonly string[]) => {
    const missing = new Set(names)
    await eventually(() => {
      for (const name of missing) if (statuses.get(name) === wanted) missing.delete(name)
      return missing.size === 0
    }, 150_000).catch(() => {
      throw new Error(`there was no notification that these alerts are ${wanted}: ${[...missing].join(', ')}`)
    })
  }
  const owned = starting.move()
  return {
    prometheus,
    waitForFiring: (...names) => waitFor('firing', names),
    waitForResolved: (...names) => waitFor('resolved', names),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
