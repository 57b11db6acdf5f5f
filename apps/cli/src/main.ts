import { program } from './program.ts'
import { report } from './report.ts'

// A reader that closes the pipe early, as in `oxbow config | head`, is not an error.
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
