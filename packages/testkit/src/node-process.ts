import { hasExited, killChild, startChild } from './child-process.ts'
import { testSecret } from './databases.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { faultInjector, oxbowProgram } from './oxbow-program.ts'

/** Bearer token of GET /metrics at the URL of a test node. */
export const metricsToken = 'metrics of a test node'

export interface NodeProcessOptions {
  database_url: string
  /** The port. A free one by default. */
  port?: number
  /** The program of another release. By default that of the current sources. */
  program?: string | undefined
  /**
   * Settings as environment variables. `FAULT_DROP_HINTS_PERCENT` is the percentage of
   * messages from other nodes about new events that this node discards.
   */
  env?: Record<string, string>
}

export interface NodeProcess extends AsyncDisposable {
  url: string
  port: number
  pid: number
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void
  /** Resolves with the exit code, or null if a signal ended the process. */
  exited: Promise<number | null>
  hasExited(): boolean
  output(): string
}

/** Starts a node as a process that a test can send signals to, and waits until it answers requests. */
export async function startNodeProcess(options: NodeProcessOptions): Promise<NodeProcess> {
  const node = await launchNodeProcess(options)
  await eventually(async () => {
    if (node.hasExited()) throw new Error(`the node did not start: ${node.output()}`)
    return fetch(`${node.url}/health`).then(
      (response) => response.ok,
      () => false,
    )
  }, 90_000)
  return node
}

/** Starts a node without waiting for it, for nodes that are expected to fail at start. */
export async function launchNodeProcess({
  database_url,
  port: preferredPort,
  program = oxbowProgram(),
  env,
}: NodeProcessOptions): Promise<NodeProcess> {
  const port = preferredPort ?? (await freePort())
  const { PATH, USER, HOME } = process.env
  const preload = env?.FAULT_DROP_HINTS_PERCENT ? ['--import', faultInjector()] : []
  const child = startChild(process.execPath, [...preload, program, 'serve', '--port', String(port)], {
    env: {
      PATH,
      USER,
      HOME,
      DATABASE_URL: database_url,
      OXBOW_SECRET: testSecret,
      OXBOW_RATE_LIMIT_PER_MINUTE: '0',
      OXBOW_CONNECTIONS_PER_ACCOUNT: '0',
      OXBOW_METRICS_LISTEN: 'off',
      OXBOW_METRICS_TOKEN: metricsToken,
      OXBOW_LOG_LEVEL: 'warn',
      // Otherwise the node would query real name servers for the hosts of links.
      OXBOW_LINK_PREVIEWS: 'false',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    signal: (name) => child.kill(name),
    exited,
    hasExited: () => hasExited(child),
    output: () => output,
    [Symbol.asyncDispose]: () => killChild(child),
  }
}
