import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { eventually, freePort } from '@oxbow/testkit'
import { makeProbe, type Probe } from '../probe/ask-probe.ts'

/** The bare server that does what our node does, with the same bytes. */
export interface BareServer extends Disposable {
  url: string
  port: number
  probe: Probe
  /** The id of what it answered last. */
  head(): Promise<number>
  /** Answers all polls. */
  tell(): Promise<void>
  /** Until it holds this many. */
  parked(count: number): Promise<void>
}

/** `sample` is an answer of ours: its headers and its body are what the bare server sends. */
export async function startBareServer(sample: Response): Promise<BareServer> {
  const [port, probe] = [await freePort(), await makeProbe()]
  const kept = [...sample.headers].filter(([name]) => !['connection', 'date', 'keep-alive'].includes(name))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-polls.ts'), String(port)], {
    env: {
      ...process.env,
      ...probe.env,
      BODY: await sample.text(),
      HEADERS: JSON.stringify(Object.fromEntries(kept)),
    },
    // The channel tells it when we are gone.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const url = `http://127.0.0.1:${port}`
  const ask = async (path: string) => Number(await (await fetch(url + path)).text())
  await eventually(() =>
    ask('/held').then(
      () => true,
      () => false,
    ),
  )
  return {
    url,
    port,
    probe,
    head: () => ask('/newest'),
    tell: async () => void (await ask('/tell')),
    parked: async (count) => {
      await eventually(async () => (await ask('/held')) === count, 60_000)
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}
