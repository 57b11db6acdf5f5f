import { program } from './program.ts'
import { report } from './report.ts'

// It is not an error if a reader closes the pipe early, as in `oxbow config | head`.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

try {
  await program().parseAsync()
} catch (error) {
  report(error)
  process.exitCode = 1
}
