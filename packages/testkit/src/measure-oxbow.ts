import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { oxbowProgram } from './oxbow-program.ts'

export interface MeasuredCommand {
  seconds: number
  /** Processor time of the process, which other load does not affect. */
  processorSeconds: number
  /** The maximum resident set size of the process. */
  peakMb: number
}

/**
 * A module that writes the usage of a process to its file descriptor 3 when it exits. Reading the usage from outside
 * would miss what the process does while the test process stalls. `process.resourceUsage()` does not fit, because
 * its maximum memory includes that of the parent process.
 */
const reportUsage = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync, writeSync } from 'node:fs'
  import { isMainThread } from 'node:worker_threads'
  if (isMainThread) process.on('exit', () => {
    const [, kb] = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))
    const { user, system } = process.cpuUsage()
    writeSync(3, JSON.stringify({ processorSeconds: (user + system) / 1e6, peakMb: kb / 1024 }))
  })`)}`

/** Runs oxbow until it exits, and measures time and memory. Throws if the command fails. */
export async function measureOxbow(env: NodeJS.ProcessEnv, ...args: string[]): Promise<MeasuredCommand> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--import', reportUsage, oxbowProgram(), ...args], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  const exited = new Promise((resolve) => child.on('exit', resolve))
  const [status, usage] = await Promise.all([exited, text(child.stdio[3] as Readable)])
  if (status !== 0) throw new Error(`oxbow ${args.join(' ')} ended with status ${status}`)
  return { seconds: (performance.now() - startedAt) / 1_000, ...JSON.parse(usage) }
}

/** Returns the processor time of a process, or of its children that have ended. */
export function readProcessorSeconds(
  pid: number | undefined,
  of: 'itself' | 'ended children' = 'itself',
): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the process may contain blanks. The times are in hundredths of a second.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const first = of === 'itself' ? 11 : 13
  return (Number(fields[first]) + Number(fields[first + 1])) / 100
}
