import { Readable } from 'node:stream'
import { program } from '../src/program.ts'
import { report } from '../src/report.ts'

// A process that runs one command after the other. Starting a process and loading the modules takes
// most of the processor time of a short command.

/** A command for the host to run. */
export interface HostedCommand {
  env: NodeJS.ProcessEnv
  args: readonly string[]
  /** The text on standard input. */
  input: string
  /** The line that the host prints on both outputs after the output of the command. */
  end: string
}

/** Is thrown instead of ending the process, because the next command runs in the same process. */
class Exit {
  readonly status: number
  constructor(status: number) {
    this.status = status
  }
}

process.exit = (status) => {
  throw new Exit(Number(status ?? process.exitCode ?? 0))
}

async function run({ env, args, input }: HostedCommand): Promise<number> {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([input]) })
  process.exitCode = undefined
  try {
    await program().parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof Exit) return error.status
    report(error)
    return 1
  } finally {
    // A command that writes a file removes it on these signals.
    for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal)
    process.exitCode = undefined
  }
}

process.on('message', async (command: HostedCommand) => {
  const status = await run(command)
  // Writes to pipes are synchronous, so this comes after everything that the command printed.
  for (const output of [process.stdout, process.stderr]) output.write(command.end)
  process.send?.(status)
})
process.on('disconnect', () => process.kill(process.pid))
