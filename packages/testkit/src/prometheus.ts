import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killChild, startChild } from './child-process.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'

const program = 'prometheus'

export interface PrometheusOptions {
  /** Addresses of the nodes' metrics. */
  targets: readonly string[]
  /** Text of a file with alert rules. */
  rules: string
  /** Host and port of an Alertmanager that gets the alerts. */
  alertmanager?: string | undefined
}

/** A rule as Prometheus has read it. */
interface PrometheusRule {
  name: string
  query: string
  state: 'inactive' | 'pending' | 'firing'
  annotations: Record<string, string>
}

export interface Prometheus extends AsyncDisposable {
  /** Returns the results of a query at this moment. Throws if Prometheus refuses it. */
  query(text: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>
  rules(): Promise<PrometheusRule[]>
}

/** Starts a Prometheus that reads the nodes every two seconds, and evaluates the rules twice a second. */
export async function startPrometheus({
  targets,
  rules,
  alertmanager,
}: PrometheusOptions): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'))
  await writeFile(join(folder, 'rules.yml'), rules)
  await writeFile(join(folder, 'prometheus.yml'), configuration(targets, alertmanager))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = startChild(
    program,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const ask = async <Data>(path: string, form: Record<string, string> = {}): Promise<Data> => {
    const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(form)}`)
    const { status, data, error } = (await response.json()) as { status: string; data: Data; error?: string }
    if (status !== 'success') throw new Error(`${program} refused ${form.query ?? path}: ${error}`)
    return data
  }
  await eventually(async () => (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok)
  return {
    query: async (query) => (await ask<{ result: [] }>('query', { query })).result,
    rules: async () =>
      (await ask<{ groups: { rules: PrometheusRule[] }[] }>('rules')).groups.flatMap((group) => group.rules),
    async [Symbol.asyncDispose]() {
      await killChild(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const configuration = (targets: readonly string[], alertmanager: string | undefined): string => `
global:
  scrape_interval: 2s
  scrape_timeout: 2s
  evaluation_interval: 500ms
rule_files: [rules.yml]
scrape_configs:
  - job_name: oxbow
    static_configs:
      - targets: ${JSON.stringify(targets)}
${
  alertmanager === undefined
    ? ''
    : `alerting:
  alertmanagers:
    - static_configs:
        - targets: [${JSON.stringify(alertmanager)}]
`
}`
