import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killChild, startChild } from './child-process.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'

const program = 'prometheus-alertmanager'

interface Alert {
  labels: Record<string, string>
  annotations?: Record<string, string>
  generatorURL?: string
  /** ISO 8601 time at which the alert is resolved. */
  endsAt?: string
}

export interface Alertmanager extends AsyncDisposable {
  /** Host and port, for the configuration of Prometheus. */
  address: string
  /** Posts alerts to the API that Prometheus uses. */
  raise(...alerts: Alert[]): Promise<void>
}

/** Starts an Alertmanager that forwards every alert to the webhook without grouping delay. */
export async function startAlertmanager(webhook: string): Promise<Alertmanager> {
  const folder = await mkdtemp(join(tmpdir(), 'alertmanager-'))
  const file = join(folder, 'alertmanager.yml')
  await writeFile(file, configuration(webhook))
  const port = await freePort()
  const address = `127.0.0.1:${port}`
  const url = `http://${address}/api/v2`
  const child = startChild(
    program,
    [
      `--config.file=${file}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--cluster.listen-address=',
    ],
    { stdio: 'ignore' },
  )
  await eventually(async () => (await fetch(`${url}/status`).catch(() => undefined))?.ok)
  return {
    address,
    async raise(...alerts) {
      const body = JSON.stringify(alerts)
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${url}/alerts`, { method: 'POST', headers, body })
      if (!response.ok) throw new Error(`${program} answered ${response.status}: ${await response.text()}`)
    },
    async [Symbol.asyncDispose]() {
      await killChild(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const configuration = (webhook: string): string => `
route:
  receiver: chat
  group_by: [alertname]
  group_wait: 0s
  group_interval: 1s
  repeat_interval: 1h
receivers:
  - name: chat
    webhook_configs:
      - url: ${JSON.stringify(webhook)}
        send_resolved: true
`
