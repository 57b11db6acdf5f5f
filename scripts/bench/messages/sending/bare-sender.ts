import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { eventually, freePort } from '@oxbow/testkit'
import { makeProbe, type Probe } from '../../probe/ask-probe.ts'
import type { SendStatement } from './captured-send.ts'

/** A server with one route that runs the statement of a send. */
export interface BareSender extends AsyncDisposable {
  url: string
  probe: Probe
}

export interface BareSenderOrder extends SendStatement {
  port: number
  database_url: string
  poolSize: number
}

export async function startBareSender(
  database_url: string,
  statement: SendStatement,
  poolSize: number,
): Promise<BareSender> {
  const [port, probe] = [await freePort(), await makeProbe()]
  const order: BareSenderOrder = { ...statement, port, database_url, poolSize }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-sender-process.ts')], {
    env: { ...process.env, ...probe.env, ORDER: JSON.stringify(order) },
    // The child process exits when this IPC channel closes.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `http://127.0.0.1:${port}`
  await eventually(() =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  )
  return {
    url,
    probe,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
