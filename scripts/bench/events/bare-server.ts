import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { eventually, freePort } from '@oxbow/testkit'
import { makeProbe, type Probe } from '../probe/ask-probe.ts'

/** The bare server that is compared with our node: it parks polls and sends the same bytes. */
export interface BareServer extends Disposable {
  url: string
  port: number
  probe: Probe
  /** Returns the id of the newest event. */
  head(): Promise<number>
  /** Emits one event, which ends all parked polls. */
  emit(): Promise<void>
  /** Waits until this many polls are parked. */
  waitForPolls(count: number): Promise<void>
}

/** Starts a server that sends the headers and the body of `sample`, a response of our node. */
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
    // The child process exits when this IPC channel closes.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const url = `http://127.0.0.1:${port}`
  const ask = async (path: string) => Number(await (await fetch(url + path)).text())
  await eventually(() =>
    ask('/parked').then(
      () => true,
      () => false,
    ),
  )
  return {
    url,
    port,
    probe,
    head: () => ask('/newest'),
    emit: async () => void (await ask('/emit')),
    waitForPolls: async (count) => {
      await eventually(async () => (await ask('/parked')) === count, 60_000)
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}
