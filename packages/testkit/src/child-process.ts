import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

const running = new Set<ChildProcess>()

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a process that is killed when the test process exits. */
export function startChild(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, options)
  running.add(child)
  child.once('exit', () => running.delete(child))
  child.once('error', (cause) => {
    throw new Error(
      `${command} cannot be run. docs/how-to/run-the-tests.md lists the programs that the tests need.`,
      {
        cause,
      },
    )
  })
  return child
}

export const hasExited = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null

export async function killChild(child: ChildProcess): Promise<void> {
  if (hasExited(child)) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}
