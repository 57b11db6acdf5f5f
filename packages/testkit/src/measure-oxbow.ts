import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { oxbowProgram } from './oxbow-program.ts'

export interface MeasuredCommand {
  seconds: number
  /** Processor time of the process, which other load does not affect. */
  processorSeconds: number
  /** The maximum resident set size of the process. */
  peakMb: number
}

/** Runs oxbow until it exits, and measures time and memory. Throws if the command fails. */
export async function measureOxbow(env: NodeJS.ProcessEnv, ...args: string[]): Promise<MeasuredCommand> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [oxbowProgram(), ...args], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let peakMb = 0
  let processorSeconds = 0
  const readProcess = () => {
    try {
      processorSeconds = readProcessorSeconds(child.pid)
      const [, kb] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      if (kb) peakMb = Number(kb) / 1_024
    } catch {
      // The process has exited.
    }
  }
  const timer = setInterval(readProcess, 100)
  const status = await new Promise((resolve) => child.on('exit', resolve))
  clearInterval(timer)
  if (status !== 0) throw new Error(`oxbow ${args.join(' ')} ended with status ${status}`)
  return { seconds: (performance.now() - startedAt) / 1_000, processorSeconds, peakMb }
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
